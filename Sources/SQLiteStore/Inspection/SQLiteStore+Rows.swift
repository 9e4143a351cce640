package import Records
package import Store

/// Questions about tables and rows.
extension SQLiteStore {
  /// Names of the bookkeeping's tables and views, in the order of their making.
  package static func bookkeepingTables(beside schema: StoreSchema) throws(StoreError) -> [String] {
    let connection = try Connection(path: ":memory:")
    let store = SQLiteStore(connection)
    try store.prepare(schema, allowingLoss: false)
    defer { try? store.close() }
    let rows = try connection.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid")
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0) ?? "") }
    return names.filter { $0.hasPrefix("_ingest_") }
  }

  package func dangling(_ reference: SoftReference, of shape: TableShape) throws(StoreError) -> DanglingRows? {
    let reader = SchemaReader(connection: opened)
    let name = shape.columns[reference.column].name
    guard let table = try reader.table(shape.name), let column = table.column(FoldedName(name)) else { return nil }
    let value = "t.\(Identifier.quoted(column.spelling))"
    var condition = "FROM \(Identifier.quoted(table.spelling)) AS t WHERE \(value) IS NOT NULL"
    for target in reference.targets {
      // A table that is not there yet has no row that could be meant.
      guard let other = try reader.table(target.table), let key = other.column(FoldedName(target.column)) else {
        continue
      }
      let referenced = Identifier.quoted(key.spelling)
      condition +=
        " AND \(value) NOT IN (SELECT \(referenced) FROM \(Identifier.quoted(other.spelling)) "
        + "WHERE \(referenced) IS NOT NULL)"
    }
    let counts = try opened.prepare("SELECT count(*), count(DISTINCT \(value)) \(condition)")
    guard try counts.step() else { return nil }
    let (rows, values) = (Int(counts.integer(0)), Int(counts.integer(1)))
    counts.reset()
    var examples: [StoredValue] = []
    if rows > 0 {
      let found = try opened.prepare("SELECT DISTINCT \(value) \(condition) ORDER BY 1 LIMIT 3")
      while try found.step() { examples.append(found.value(0)) }
    }
    return DanglingRows(rows: rows, values: values, examples: examples)
  }

  package func rows(
    of table: String, where keys: [ColumnValues], latestBy column: String?
  ) throws(StoreError) -> StoredRows {
    var bound: [StoredValue] = []
    let conditions = keys.map { key in
      let name = Identifier.quoted(key.column)
      let alternatives = key.values.map { value -> String in
        if value == .null { return "\(name) IS NULL" }
        bound.append(value)
        // Text that looks like a number is none, whatever the column takes.
        return "(\(name) = ?\(bound.count) AND typeof(\(name)) = '\(value.typeName)')"
      }
      return alternatives.isEmpty ? "0" : "(\(alternatives.disjunction))"
    }
    let sql = conditions.isEmpty ? "1" : conditions.conjunction
    let order = column.map { " ORDER BY \(Identifier.quoted($0)) DESC" } ?? ""
    let statement = try opened.prepare("SELECT * FROM \(Identifier.quoted(table)) WHERE \(sql)\(order) LIMIT 2")
    for (place, value) in bound.enumerated() { try statement.bind(value, at: place) }
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
    return StoredRows(columns: statement.columnNames, rows: rows)
  }
}

extension StoredValue {
  /// As SQLite's typeof says it.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .bytes: "blob"
    }
  }
}

extension Statement {
  fileprivate func bind(_ value: StoredValue, at position: Int) throws(StoreError) {
    switch value {
    case .null: try bind(nil as Int64?, at: position)
    case .integer(let number): try bind(number, at: position)
    case .real(let number): try bind(Cell.real(number), at: position)
    case .text(let text): try bind(text, at: position)
    case .bytes(let bytes): try bind(copied: bytes, at: position)
    }
  }
}
