import Records
package import Store

extension SQLiteStore: ReadableStore {
  package func readRows(of table: String) throws(StoreError) -> StoredRows {
    let statement = try Statement("SELECT * FROM \(Identifier.quoted(table)) ORDER BY rowid", on: opened)
    var rows: [[StoredValue]] = []
    while try statement.step() {
      var row: [StoredValue] = []
      for column in 0..<statement.columnCount { row.append(statement.value(column)) }
      rows.append(row)
    }
    return StoredRows(columns: statement.columnNames, rows: rows)
  }

  package func has(table: String) throws(StoreError) -> Bool { try opened.has(table: table) }

  package func keepAtOnce(_ changes: [StateChange], of source: String) throws(StoreError) {
    guard try states.isThere() else {
      throw StoreError(.failed, "'\(opened.path)' is no database of ingest yet; 'ingest run' makes one")
    }
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
  }

  package func state(of source: String, scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    guard try states.isThere() else { return [] }
    return try states.entries(source: source, scope: scope, prefix: prefix)
  }
}

extension Statement {
  func value(_ column: Int) -> StoredValue {
    switch kind(column) {
    case .missing, .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(text(column) ?? "")
    case .bytes: .bytes(bytes(column))
    }
  }
}
