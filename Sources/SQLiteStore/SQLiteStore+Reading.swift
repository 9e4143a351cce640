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

  package func state(of source: String, scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    var entries = try states.isThere() ? try states.entries(source: source, scope: scope, prefix: prefix) : []
    let aside = PendingState(opened)
    aside.begin(source)
    guard aside.isThere else { return entries }
    for change in try aside.changes() { change.apply(to: &entries, scope: scope, prefix: prefix) }
    return entries
  }
}

extension StateChange {
  /// Changes entries of this scope whose names begin so.
  fileprivate func apply(to entries: inout [StateEntry], scope: String, prefix: String) {
    func isOurs(_ changed: String, _ name: String) -> Bool {
      changed.utf8.elementsEqual(scope.utf8) && name.utf8.starts(with: prefix.utf8)
    }
    switch self {
    case .set(let changed, let name, let value) where isOurs(changed, name):
      entries.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
      entries.append(StateEntry(name: name, value: value, run: 0))
    case .remove(let changed, let name) where isOurs(changed, name):
      entries.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    case .removeAll(let changed, let start) where changed.utf8.elementsEqual(scope.utf8):
      entries.removeAll { $0.name.utf8.starts(with: start.utf8) }
    case .set, .remove, .removeAll: return
    }
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
