import Records
import Store

/// The rows of a table with `write: history`, as versions of a key.
struct VersionTable {
  /// The columns `valid_from`, the last of the primary key, and `valid_to`.
  let from: Int
  let to: Int
  private let key: [Int]
  private let valueCount: Int
  private let keyCount: Int
  private let currentVersion: LazyStatement
  private let latestTime: LazyStatement
  private let startTime: LazyStatement
  private let deletion: LazyStatement
  private let ending: LazyStatement
  private let restoration: LazyStatement
  private let copying: LazyStatement

  init(_ connection: Connection, _ sql: TableSQL) {
    to = sql.shape.columns.count - sql.shape.tracking.count - 1
    let from = to - 1
    self.from = from
    precondition(sql.shape.primaryKey.contains(from), "a version's key holds the time that it begins at")
    key = sql.shape.primaryKey.filter { $0 != from }
    (valueCount, keyCount) = (sql.values.count, sql.shape.primaryKey.count)
    let (start, end) = (sql.names([from])[0], sql.names([to])[0])
    let isCurrent = "\(end) IS NULL"
    currentVersion = LazyStatement(sql.find(by: key, showing: sql.values) + " AND \(isCurrent)", on: connection)
    latestTime = LazyStatement(
      "SELECT max(max(\(start)), coalesce(max(\(end)), '')) FROM \(sql.table) WHERE \(sql.equal(key))",
      on: connection)
    let ofNumber = "WHERE \(sql.rowNumber) = ?"
    startTime = LazyStatement("SELECT \(start) FROM \(sql.table) \(ofNumber)", on: connection)
    deletion = LazyStatement(sql.delete, on: connection)
    ending = LazyStatement(sql.update([to]), on: connection)
    restoration = LazyStatement(sql.update(sql.values), on: connection)
    let all = sql.names(Array(sql.shape.columns.indices))
    let copied = all.indices.map { $0 == from ? "?" : all[$0] }
    copying = LazyStatement(
      "INSERT INTO \(sql.table) (\(all.joined(separator: ", "))) "
        + "SELECT \(copied.joined(separator: ", ")) FROM \(sql.table) \(ofNumber)", on: connection)
  }

  /// The current version of the row's key, its number first, then its values; nil when there is none.
  func current(of cells: [Cell], at base: Int) throws(StoreError) -> Statement? {
    let find = try currentVersion.prepared()
    for (parameter, column) in key.enumerated() { try find.bind(cells[base + column], at: parameter) }
    return try find.step() ? find : nil
  }

  /// The last time at which a version of the key begins or ends; empty when there is none.
  func latest(of cells: [Cell], at base: Int) throws(StoreError) -> [UInt8] {
    let latest = try latestTime.prepared()
    for (parameter, column) in key.enumerated() { try latest.bind(cells[base + column], at: parameter) }
    defer { latest.reset() }
    return try latest.step() ? latest.bytes(0) : []
  }

  func start(of number: Int64) throws(StoreError) -> [UInt8] {
    let start = try startTime.prepared()
    try start.bind(number, at: 0)
    defer { start.reset() }
    return try start.step() ? start.bytes(0) : []
  }

  func delete(_ number: Int64) throws(StoreError) {
    let deletion = try deletion.prepared()
    try deletion.bind(number, at: 0)
    try deletion.run()
  }

  func end(_ number: Int64, at instant: [UInt8]) throws(StoreError) {
    let ending = try ending.prepared()
    try ending.bind(text: instant, at: 0)
    try ending.bind(number, at: 1)
    try ending.run()
  }

  /// Makes the row's present state a version of its own.
  func copy(_ number: Int64, from instant: [UInt8]) throws(StoreError) {
    let copying = try copying.prepared()
    try copying.bind(text: instant, at: 0)
    try copying.bind(number, at: 1)
    try copying.run()
  }

  func restore(_ number: Int64, from image: Statement) throws(StoreError) {
    let restoration = try restoration.prepared()
    for place in 0..<valueCount { try restoration.bind(column: keyCount + place, of: image, at: place) }
    try restoration.bind(number, at: valueCount)
    try restoration.run()
  }
}
