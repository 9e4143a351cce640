import Records
import Store

/// What one body has done to a table so far, so that its rows are counted against what was stored before it, however
/// often a key comes in it.
///
/// While the body lasts, an occurrence that changes or deletes a stored row is counted as unchanged, and the row's first
/// image is kept; at the end, rows that differ from their image become updated or deleted ones. Memory stays small for a
/// body of any size: images are on disk, and new rows are known by their number as long as they come after all that were
/// there.
final class BodyMemory {
  private let connection: Connection
  private let sql: TableSQL
  /// It may know this memory: both belong to the sink.
  private unowned let scope: BodyScope
  /// The table's place in the schema.
  private let table: Int
  let images: ImageTable
  /// Whether a body is being followed.
  private(set) var isOpen = false
  /// Others than the writer of the table's rows change them too, so that it matters which ones the body has brought.
  var notesReceipts = false
  /// The highest number before the body; nil when the table was empty.
  private var highest: Int64?
  /// How often a row was inserted.
  private var insertions = 0
  /// New rows that do not come after `highest`: their numbers are keys, or were given up by deleted rows.
  private let inserted: RowNumberSet
  /// Rows that a list does not name any more. They are deleted at the end, since a later list may name them again.
  private let surplus: RowNumberSet
  /// Stored rows that the body has brought, as counted ones and as skipped ones.
  private let received: RowNumberSet
  private let skipped: RowNumberSet
  private let highestNumber: LazyStatement
  private let newCount: LazyStatement
  private let exists: LazyStatement
  private let delete: LazyStatement

  /// `index` is the table's place in the schema: it names the TEMP tables.
  init(_ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope) {
    self.connection = connection
    self.sql = sql
    self.scope = scope
    table = index
    images = ImageTable(connection, sql, index: index)
    inserted = RowNumberSet()
    surplus = RowNumberSet()
    received = RowNumberSet()
    skipped = RowNumberSet()
    highestNumber = LazyStatement(sql.highestRowNumber, on: connection)
    newCount = LazyStatement(sql.countFrom, on: connection)
    exists = LazyStatement(sql.exists, on: connection)
    delete = LazyStatement(sql.delete, on: connection)
  }

  func open() throws(StoreError) {
    guard !isOpen else { return }
    let number = try highestNumber.prepared()
    highest = try number.step() && !number.isNull(0) ? number.integer(0) : nil
    number.reset()
    insertions = 0
    isOpen = true
  }

  func noteInsertion(of number: Int64) throws(StoreError) {
    insertions += 1
    if let highest, number <= highest { try inserted.insert(number) }
    // The number was another row's, which went with its parent.
    if !surplus.isEmpty { try surplus.remove(number) }
  }

  /// Whether so many rows, of which `last` was inserted last, have numbers one after the other, behind all that were
  /// there.
  func areBehind(_ count: Int, endingAt last: Int64) -> Bool {
    last < .max / 2 && last - Int64(count) >= highest ?? 0
  }

  /// The same as `noteInsertion` for each of rows that are behind.
  func noteInsertions(_ count: Int) { insertions += count }

  /// Whether the body has inserted the row.
  func hasInserted(_ number: Int64) throws(StoreError) -> Bool {
    guard let highest, number <= highest else { return true }
    return inserted.isEmpty ? false : try inserted.contains(number)
  }

  /// An occurrence of a stored row was counted, as unchanged so far, or as skipped.
  func noteReceipt(of number: Int64, isSkipped: Bool = false) throws(StoreError) {
    guard notesReceipts, isOpen, try !hasInserted(number) else { return }
    try (isSkipped ? skipped : received).insert(number)
  }

  /// The row may be one that the body brings, as a rejected one whose key is not known.
  func spare(_ number: Int64) throws(StoreError) {
    try open()
    try noteReceipt(of: number, isSkipped: true)
  }

  /// Whether the row comes in the body, in whatever way.
  func hasBrought(_ number: Int64) throws(StoreError) -> Bool {
    guard isOpen else { return false }
    if try hasInserted(number) { return true }
    if try received.contains(number) { return true }
    return try skipped.contains(number)
  }

  /// To be called before a row is changed or deleted.
  func keepImage(of number: Int64) throws(StoreError) {
    if try !hasInserted(number) { try images.keep(number) }
  }

  /// Deletes the surplus before the body ends, since it stands in the way of other rows.
  func dropSurplus(_ outcome: inout RecordOutcome) throws(StoreError) {
    if !surplus.isEmpty { try deleteSurplus(&outcome) }
  }

  var hasSurplus: Bool { !surplus.isEmpty }

  func isSurplus(_ number: Int64) throws(StoreError) -> Bool {
    surplus.isEmpty ? false : try surplus.contains(number)
  }

  func noteSurplus(_ number: Int64) throws(StoreError) { try surplus.insert(number) }

  /// A list names the row; says whether an earlier one did not, so that the row begins anew.
  @discardableResult
  func noteUse(of number: Int64) throws(StoreError) -> Bool {
    guard try isSurplus(number) else { return false }
    try surplus.remove(number)
    return true
  }

  /// Deletes the surplus, and counts rows that differ from their first image as updated, or as deleted.
  func settle(_ outcome: inout RecordOutcome) throws(StoreError) {
    guard isOpen else { return }
    if !surplus.isEmpty { try deleteSurplus(&outcome) }
    if scope.hasDeletions { try recount(&outcome) }
    guard images.hasSome else { return }
    var counts = (updated: 0, deleted: 0, replaced: 0)
    try images.compare { number, isEqual throws(StoreError) in
      guard let number else {
        // A keyless child went with its parent, and is no record of its own.
        if sql.shape.role == .record { counts.deleted += 1 }
        return
      }
      if try hasInserted(number) { counts.replaced += 1 }
      if !isEqual, try wasReceived(number) { counts.updated += 1 }
    }
    outcome.inserted -= counts.replaced
    outcome.updated += counts.updated
    outcome.deleted += counts.deleted
    outcome.unchanged += counts.replaced - counts.updated - counts.deleted
  }

  /// Whether a change of the row is one of a row that was counted.
  private func wasReceived(_ number: Int64) throws(StoreError) -> Bool {
    if !notesReceipts { return true }
    if try hasInserted(number) { return true }
    return try received.contains(number)
  }

  /// Ends the body.
  func close() throws(StoreError) {
    guard isOpen else { return }
    inserted.removeAll()
    received.removeAll()
    skipped.removeAll()
    isOpen = false
  }

  private func deleteSurplus(_ outcome: inout RecordOutcome) throws(StoreError) {
    let delete = try delete.prepared()
    var lost = 0
    try surplus.forEach { number throws(StoreError) in
      try scope.willDelete(number, from: table)
      try delete.bind(number, at: 0)
      try delete.run()
      // The body brought the row and took it away: it has come to nothing.
      if connection.changes > 0, try hasInserted(number) { lost += 1 }
    }
    insertions -= lost
    outcome.inserted -= lost
    outcome.unchanged += lost
    surplus.removeAll()
  }

  /// Rows that the body has inserted, and that are gone again, have come to nothing.
  private func recount(_ outcome: inout RecordOutcome) throws(StoreError) {
    guard insertions > 0 else { return }
    let (count, exists) = try (newCount.prepared(), exists.prepared())
    var left = 0
    if highest != .max {
      try count.bind(highest.map { $0 + 1 } ?? .min, at: 0)
      left = try count.step() ? Int(count.integer(0)) : 0
      count.reset()
    }
    try inserted.forEach { number throws(StoreError) in
      try exists.bind(number, at: 0)
      if try exists.step() { left += 1 }
      exists.reset()
    }
    let lost = max(0, insertions - left)
    insertions -= lost
    outcome.inserted -= lost
    outcome.unchanged += lost
  }

  /// Forgets what a rollback has undone in the database.
  func forget() {
    isOpen = false
    images.forget()
    for numbers in [inserted, surplus, received, skipped] { numbers.removeAll() }
  }
}
