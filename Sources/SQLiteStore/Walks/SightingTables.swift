import Records
import Store

/// The stored tables of what scopes have seen: one for each table whose unseen rows may go, with the key's own types.
struct SightingTables {
  let connection: Connection

  static func name(_ table: String) -> String { "_ingest_seen_\(table)" }

  static func indexName(_ table: String) -> String { "_ingest_scopes_of_\(table)" }

  /// Makes what is missing, and follows a table that got another name or another key.
  func prepare(_ tables: [SightedTable]) throws(StoreError) {
    let swept = tables.filter(\.isSwept)
    var changes: [String] = []
    for table in swept { changes += try self.changes(for: table) }
    guard !changes.isEmpty else { return }
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for sql in changes { try connection.run(sql) }
      try connection.run("COMMIT")
    } catch {
      // What went wrong first is the news, even if undoing it fails too.
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  private func changes(for table: SightedTable) throws(StoreError) -> [String] {
    let types = table.keyNames.indices.map { table.keyType($0) }
    if let stored = try keyTypes(Self.name(table.sql.shape.name)) {
      return stored == types ? [] : rebuild(table, from: stored, to: types)
    }
    if let former = table.sql.shape.renamedFrom, try keyTypes(Self.name(former)) == types {
      return [
        "ALTER TABLE \(Identifier.quoted(Self.name(former))) RENAME TO \(table.stored)",
        "DROP INDEX IF EXISTS \(Identifier.quoted(Self.indexName(former)))", index(of: table),
      ]
    }
    return [create(table, named: table.stored), index(of: table)]
  }

  /// The types of the key's columns; nil when there is no such table.
  private func keyTypes(_ name: String) throws(StoreError) -> [String]? {
    let columns = try connection.prepare(
      "SELECT type FROM pragma_table_info(?1, 'main') WHERE name GLOB 'k[0-9]*' ORDER BY cid")
    try columns.bind(name, at: 0)
    var types: [String] = []
    while try columns.step() { types.append(columns.text(0) ?? "") }
    return types.isEmpty ? nil : types
  }

  private func create(_ table: SightedTable, named name: String) -> String {
    let keys = table.keyNames.indices.map { "k\($0)" }
    let columns = keys.indices.map { "\(keys[$0]) \(table.keyType($0)) NOT NULL" }
    return
      "CREATE TABLE \(name) (\(columns.joined(separator: ", ")), scope INTEGER NOT NULL, is_seen INTEGER NOT NULL, "
      + "PRIMARY KEY (\(keys.joined(separator: ", ")), scope)) STRICT, WITHOUT ROWID"
  }

  private func index(of table: SightedTable) -> String {
    "CREATE INDEX \(table.storedIndex) ON \(table.stored) (scope, is_seen)"
  }

  /// A key of another type keeps its sightings, as far as the values say the same; one with other columns starts anew.
  private func rebuild(_ table: SightedTable, from old: [String], to new: [String]) -> [String] {
    let start = ["DROP INDEX IF EXISTS \(table.storedIndex)"]
    guard old.count == new.count, zip(old, new).allSatisfy({ $0 == $1 || $1 == "TEXT" || $1 == "ANY" }) else {
      return start + ["DROP TABLE \(table.stored)", create(table, named: table.stored), index(of: table)]
    }
    let former = Identifier.quoted("_ingest_former_\(table.sql.shape.name)")
    let values = new.indices.map { new[$0] == "TEXT" ? "CAST(k\($0) AS TEXT)" : "k\($0)" }
    return start + [
      "ALTER TABLE \(table.stored) RENAME TO \(former)", create(table, named: table.stored),
      "INSERT OR IGNORE INTO \(table.stored) SELECT \(values.joined(separator: ", ")), scope, is_seen FROM \(former)",
      "DROP TABLE \(former)", index(of: table),
    ]
  }
}
