import Records
import Store

/// Stored rows as they were before a body, in a TEMP table.
final class ImageTable {
  private let connection: Connection
  private let sql: TableSQL
  private let name: String
  private(set) var hasSome = false
  private let insertion: LazyStatement
  private let scan: LazyStatement
  private let find: LazyStatement
  private let restoreTracking: LazyStatement

  init(_ connection: Connection, _ sql: TableSQL, index: Int) {
    self.connection = connection
    self.sql = sql
    name = "_ingest_images_\(index)"
    insertion = LazyStatement(sql.keepImage(name), on: connection)
    scan = LazyStatement("SELECT * FROM temp.\(name)", on: connection)
    find = LazyStatement(sql.find, on: connection)
    restoreTracking = LazyStatement(sql.update(sql.shape.tracking), on: connection)
  }

  /// Keeps the row as it is now; does nothing when there is an image of it.
  func keep(_ number: Int64) throws(StoreError) {
    if !hasSome { try connection.run(sql.createImages(name)) }
    hasSome = true
    let insertion = try insertion.prepared()
    try insertion.bind(number, at: 0)
    try insertion.run()
  }

  /// Calls with the number of each row that there is an image of, nil when it is gone, and forgets the images.
  func compare(_ body: (_ number: Int64?, _ isEqual: Bool) throws(StoreError) -> Void) throws(StoreError) {
    try forEach { image, row throws(StoreError) in
      guard let row else { return try body(nil, false) }
      let isEqual = isEqual(image, row)
      if isEqual && !sql.tracking.isEmpty { try restoreTracking(of: row.integer(0), from: image) }
      try body(row.integer(0), isEqual)
    }
    try removeAll()
  }

  /// Calls with each image and the row as it is now, which is nil when it is gone.
  func forEach(_ body: (_ image: Statement, _ row: Statement?) throws(StoreError) -> Void) throws(StoreError) {
    let (scan, find) = try (scan.prepared(), find.prepared())
    while try scan.step() {
      for index in 0..<keyCount { try find.bind(column: index, of: scan, at: index) }
      try body(scan, find.step() ? find : nil)
      find.reset()
    }
  }

  func removeAll() throws(StoreError) {
    if hasSome { try connection.run("DELETE FROM temp.\(name)") }
    hasSome = false
  }

  /// Where the values of an image begin.
  var keyCount: Int { sql.shape.primaryKey.count }

  /// Whether a row is as its image shows it.
  func isEqual(_ image: Statement, _ row: Statement, ignoring place: Int? = nil) -> Bool {
    sql.compared.allSatisfy { $0 == place || row.holds(column: $0 + 1, equalTo: keyCount + $0, of: image) }
  }

  /// Columns of images that refer to rows that are gone become null, as those of the rows did.
  func clearDanglingReferences() throws(StoreError) {
    guard hasSome else { return }
    for key in sql.shape.foreignKeys where key.onDelete == .setNull {
      let columns = key.columns.compactMap { sql.values.firstIndex(of: $0) }.map { "v\($0)" }
      guard columns.count == key.columns.count else { continue }
      let match = zip(columns, key.referenced).map { "r.\(Identifier.quoted($1)) = i.\($0)" }
      try connection.run(
        "UPDATE temp.\(name) AS i SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) "
          + "WHERE \(columns.map { "i.\($0) IS NOT NULL" }.conjunction) AND NOT EXISTS "
          + "(SELECT 1 FROM \(Identifier.quoted(key.table)) AS r WHERE \(match.conjunction))")
    }
  }

  /// The row has changed and changed back: the run did not change it.
  private func restoreTracking(of number: Int64, from image: Statement) throws(StoreError) {
    let update = try restoreTracking.prepared()
    for (parameter, place) in sql.tracking.enumerated() {
      try update.bind(column: keyCount + place, of: image, at: parameter)
    }
    try update.bind(number, at: sql.tracking.count)
    try update.run()
  }

  /// Forgets what a rollback has undone in the database.
  func forget() { hasSome = false }
}
