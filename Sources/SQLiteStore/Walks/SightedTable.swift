import Records
import Store

/// Which rows of one table a walk has seen, and, where unseen rows may go, which ones each scope has seen.
///
/// What the walk at hand has seen stands in a TEMP table. What scopes have seen is stored: a row for each key and scope,
/// written when the key is new to the scope, so that a walk that sees what the one before saw writes nothing. In it
/// `is_seen` is 1 for what the scope's latest complete walk has seen, or any walk since, and 0 for rows that have come
/// in by the scope, that its latest complete walk has not seen, and that stay for another reason.
final class SightedTable {
  let sql: TableSQL
  /// The table's place in the schema.
  let table: Int
  let record: String
  /// Unseen rows may go; of the others only the walk at hand is of interest.
  let isSwept: Bool
  /// The columns that tell rows apart: of a history without the time, of rows without a key none, but `_id`.
  let key: [Int]
  let keyNames: [String]
  let temp: String
  let stored: String
  let storedIndex: String
  private let connection: Connection
  private let sighting: LazyStatement
  private let membership: LazyStatement
  private let renewal: LazyStatement
  private let search: LazyStatement
  private let knowledge: LazyStatement
  private var scope: Int64 = 0
  /// Rows of the scope that its latest complete walk has not seen may be seen again.
  private var hasLapsed = false
  /// Keys that the walk has brought to the scope, those of the transaction at hand apart.
  private var settled = 0
  private var pending = 0

  init(_ connection: Connection, _ sql: TableSQL, index: Int, record: String, isSwept: Bool) {
    self.connection = connection
    self.sql = sql
    self.record = record
    self.isSwept = isSwept
    table = index
    key = sql.versionedKey
    keyNames = key.isEmpty ? [Identifier.quoted(TableShape.generatedKey)] : sql.names(key)
    temp = "temp.\(Identifier.quoted("_ingest_seen_\(index)"))"
    stored = Identifier.quoted(SightingTables.name(sql.shape.name))
    storedIndex = Identifier.quoted(SightingTables.indexName(sql.shape.name))
    let names = keyNames.indices.map { "k\($0)" }.joined(separator: ", ")
    let marks = keyNames.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let match = keyNames.indices.map { "k\($0) = ?\($0 + 1)" }.conjunction
    let last = keyNames.count + 1
    sighting = LazyStatement("INSERT OR IGNORE INTO \(temp) VALUES (\(marks))", on: connection)
    membership = LazyStatement(
      "INSERT OR IGNORE INTO \(stored) (\(names), scope, is_seen) VALUES (\(marks), ?\(last), 1)", on: connection)
    renewal = LazyStatement(
      "UPDATE \(stored) SET is_seen = 1 WHERE \(match) AND scope = ?\(last) AND is_seen = 0", on: connection)
    search = LazyStatement("SELECT 1 FROM \(temp) WHERE \(match)", on: connection)
    let same = keyNames.enumerated().map { "\($1) = ?\($0 + 1)" }.conjunction
    knowledge = LazyStatement(
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM \(stored) WHERE \(match) AND is_seen = 1) "
        + "OR EXISTS (SELECT 1 FROM \(sql.table) WHERE \(same))", on: connection)
  }

  /// Starts a walk, outside of any transaction, so that none that is undone takes the TEMP table with it.
  func open(scope: Int64) throws(StoreError) {
    let columns = keyNames.indices.map { "k\($0) \(keyType($0)) NOT NULL" }
    let names = keyNames.indices.map { "k\($0)" }
    let unique = "UNIQUE (\(names.joined(separator: ", ")))"
    try connection.run(
      "CREATE TABLE IF NOT EXISTS \(temp) (\((columns + [unique]).joined(separator: ", "))) STRICT")
    try connection.run("DELETE FROM \(temp)")
    self.scope = scope
    (settled, pending) = (0, 0)
    guard isSwept else { return }
    let lapsed = try connection.prepare("SELECT 1 FROM \(stored) WHERE scope = ?1 AND is_seen = 0 LIMIT 1")
    try lapsed.bind(scope, at: 0)
    hasLapsed = try lapsed.step()
  }

  func close() throws(StoreError) { try connection.run("DELETE FROM \(temp)") }

  func keyType(_ place: Int) -> String { key.isEmpty ? "INTEGER" : sql.shape.columns[key[place]].declaredType }

  /// Notes the row whose cells begin at `base`.
  func note(_ cells: [Cell], at base: Int) throws(StoreError) {
    guard key.allSatisfy({ cells[base + $0].isPresent }) else { return }
    try note { statement throws(StoreError) in
      for (parameter, column) in key.enumerated() { try statement.bind(cells[base + column], at: parameter) }
    }
  }

  /// Notes a row without a key.
  func note(_ number: Int64) throws(StoreError) {
    try note { statement throws(StoreError) in try statement.bind(number, at: 0) }
  }

  private func note(_ bind: (Statement) throws(StoreError) -> Void) throws(StoreError) {
    let sighting = try sighting.prepared()
    try bind(sighting)
    try sighting.run()
    guard isSwept, connection.changes > 0 else { return }
    let membership = try membership.prepared()
    try bind(membership)
    try membership.bind(scope, at: keyNames.count)
    try membership.run()
    if connection.changes > 0 {
      pending += 1
    } else if hasLapsed {
      let renewal = try renewal.prepared()
      try bind(renewal)
      try renewal.bind(scope, at: keyNames.count)
      try renewal.run()
    }
  }

  /// Adds what a reference has made seen since the TEMP table's row of that number: see `SightingGraph`.
  func noteReferred(after number: Int64) throws(StoreError) {
    guard isSwept else { return }
    let names = keyNames.indices.map { "k\($0)" }.joined(separator: ", ")
    let addition = try connection.prepare(
      "INSERT INTO \(stored) (\(names), scope, is_seen) SELECT \(names), ?1, 1 FROM \(temp) WHERE rowid > ?2 "
        + "ON CONFLICT DO UPDATE SET is_seen = 1 WHERE is_seen = 0")
    try addition.bind(scope, at: 0)
    try addition.bind(number, at: 1)
    try addition.run()
  }

  /// Whether the row whose cells begin at `base` is there, or the latest walk of some scope has seen it.
  func knows(_ cells: [Cell], at base: Int) throws(StoreError) -> Bool {
    guard !key.isEmpty else { return false }
    let statement = try knowledge.prepared()
    for (parameter, column) in key.enumerated() { try statement.bind(cells[base + column], at: parameter) }
    defer { statement.reset() }
    return try statement.step()
  }

  /// The number of the TEMP table's last row.
  func last() throws(StoreError) -> Int64 {
    let last = try connection.prepare("SELECT coalesce(max(rowid), 0) FROM \(temp)")
    return try last.step() ? last.integer(0) : 0
  }

  /// Whether the walk has seen the row of that number.
  func hasSeen(_ number: Int64) throws(StoreError) -> Bool {
    let names = keyNames.joined(separator: ", ")
    let row = try connection.prepare("SELECT \(names) FROM \(sql.table) WHERE \(sql.rowNumber) = ?1")
    try row.bind(number, at: 0)
    guard try row.step() else { return false }
    let search = try search.prepared()
    for place in keyNames.indices { try search.bind(column: place, of: row, at: place) }
    defer { search.reset() }
    return try search.step()
  }

  /// How many rows the walk has brought to the scope.
  var fresh: Int { settled + pending }

  func settle() { (settled, pending) = (settled + pending, 0) }

  func forget() { pending = 0 }
}

extension SightedTable {
  /// The stored row `m` and the table's row `t` are one; of a history, its current version.
  var isSameRow: String { match("t", keyNames, "m") + sql.currentVersion("t") }

  /// The walk has seen the stored row `m`.
  var isSeen: String { "EXISTS (SELECT 1 FROM \(temp) AS s WHERE \(matchStored("s", "m")))" }

  private func match(_ name: String, _ columns: [String], _ other: String) -> String {
    columns.enumerated().map { "\(name).\($1) = \(other).k\($0)" }.conjunction
  }

  private func matchStored(_ name: String, _ other: String) -> String {
    keyNames.indices.map { "\(name).k\($0) = \(other).k\($0)" }.conjunction
  }
}

extension TableSQL {
  /// The key without the time at which a version of a history begins.
  var versionedKey: [Int] {
    guard shape.write == .history else { return shape.primaryKey }
    let from = shape.columns.count - shape.tracking.count - 2
    return shape.primaryKey.filter { $0 != from }
  }

  /// Of a history, one more condition on its row, which has that name.
  func currentVersion(_ name: String) -> String {
    guard shape.write == .history else { return "" }
    let end = shape.columns.count - shape.tracking.count - 1
    return " AND \(name).\(names([end])[0]) IS NULL"
  }
}
