import Records
import Store

/// What one body has done to a table so far, so that its rows are counted against what was stored before it, however
/// often a key comes in it.
///
/// While the body lasts, an occurrence that changes a stored row is counted as unchanged, and the row's first image is
/// kept; at the end, rows that differ from their image become updated ones. Memory stays small for a body of any size:
/// images are on disk, and new rows are known by their number as long as they come after all that were there.
final class BodyMemory {
  private let connection: Connection
  private let sql: TableSQL
  private let images: String
  /// Whether a body is being followed.
  private(set) var isOpen = false
  /// The highest number before the body; nil when the table was empty.
  private var highest: Int64?
  /// New rows that do not come after `highest`: their numbers are keys, or were given up by deleted rows.
  private let inserted: RowNumberSet
  /// Rows that a list does not name any more. They are deleted at the end, since a later list may name them again.
  private let surplus: RowNumberSet
  private var hasImages = false
  private let highestNumber: LazyStatement
  private let keep: LazyStatement
  private let scan: LazyStatement
  private let find: LazyStatement
  private let delete: LazyStatement

  /// `index` is the table's place in the schema: it names the TEMP tables.
  init(_ connection: Connection, _ sql: TableSQL, index: Int) {
    self.connection = connection
    self.sql = sql
    images = "_ingest_images_\(index)"
    inserted = RowNumberSet(connection, name: "_ingest_inserted_\(index)")
    surplus = RowNumberSet(connection, name: "_ingest_surplus_\(index)")
    highestNumber = LazyStatement(sql.highestRowNumber, on: connection)
    keep = LazyStatement(sql.keepImage(images), on: connection)
    scan = LazyStatement("SELECT * FROM temp.\(images)", on: connection)
    find = LazyStatement(sql.find, on: connection)
    delete = LazyStatement(sql.delete, on: connection)
  }

  func open() throws(StoreError) {
    guard !isOpen else { return }
    let number = try highestNumber.prepared()
    highest = try number.step() && !number.isNull(0) ? number.integer(0) : nil
    number.reset()
    isOpen = true
  }

  func noteInsertion(of number: Int64) throws(StoreError) {
    if let highest, number <= highest { try inserted.insert(number) }
  }

  /// Whether the body has inserted the row.
  func hasInserted(_ number: Int64) throws(StoreError) -> Bool {
    guard let highest, number <= highest else { return true }
    return inserted.isEmpty ? false : try inserted.contains(number)
  }

  /// To be called before a row is changed.
  func keepImage(of number: Int64) throws(StoreError) {
    if try hasInserted(number) { return }
    if !hasImages { try connection.run(sql.createImages(images)) }
    hasImages = true
    let keep = try keep.prepared()
    try keep.bind(number, at: 0)
    try keep.run()
  }

  var hasSurplus: Bool { !surplus.isEmpty }

  func noteSurplus(_ number: Int64) throws(StoreError) { try surplus.insert(number) }

  /// A list names the row; says whether an earlier one did not, so that the row begins anew.
  @discardableResult
  func noteUse(of number: Int64) throws(StoreError) -> Bool {
    guard !surplus.isEmpty, try surplus.contains(number) else { return false }
    try surplus.remove(number)
    return true
  }

  /// Ends the body: deletes the surplus, and counts rows that differ from their first image as updated.
  func settle(_ outcome: inout RecordOutcome) throws(StoreError) {
    guard isOpen else { return }
    if !surplus.isEmpty { try deleteSurplus(&outcome) }
    if hasImages { try compareImages(&outcome) }
    try inserted.removeAll()
    isOpen = false
  }

  private func deleteSurplus(_ outcome: inout RecordOutcome) throws(StoreError) {
    let delete = try delete.prepared()
    try surplus.forEach { number throws(StoreError) in
      // The body brought the row and took it away: it has come to nothing.
      if try hasInserted(number) {
        outcome.inserted -= 1
        outcome.unchanged += 1
      }
      try delete.bind(number, at: 0)
      try delete.run()
    }
    try surplus.removeAll()
  }

  private func compareImages(_ outcome: inout RecordOutcome) throws(StoreError) {
    let (scan, find) = try (scan.prepared(), find.prepared())
    let keyCount = sql.shape.primaryKey.count
    while try scan.step() {
      for index in 0..<keyCount { try find.bind(column: index, of: scan, at: index) }
      guard try find.step() else { continue }
      let isEqual = sql.values.indices.allSatisfy {
        find.holds(column: $0 + 1, equalTo: keyCount + $0, of: scan)
      }
      find.reset()
      if !isEqual {
        outcome.updated += 1
        outcome.unchanged -= 1
      }
    }
    try connection.run("DELETE FROM temp.\(images)")
    hasImages = false
  }

  /// Forgets what a rollback has undone in the database.
  func forget() {
    isOpen = false
    hasImages = false
    inserted.forget()
    surplus.forget()
  }
}
