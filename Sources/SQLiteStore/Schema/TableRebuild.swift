import Store

/// A table that is made anew, since SQLite cannot change a column's type or a primary key in place: a new one is
/// created, filled from the old one, and takes its name. Indexes and triggers are made again as they were.
struct TableRebuild: Hashable {
  struct Conversion: Hashable {
    var column: FoldedName
    /// Nil: the column gets another declaration, its values stay.
    var change: TypeChange
    var declaredType: String
  }

  struct Addition: Hashable {
    var name: String
    var definition: String
  }

  struct Key: Hashable {
    var columns: [String]
    var former: [FoldedName]
    /// The key is `_id`, whose numbers SQLite gives.
    var isGenerated: Bool
  }

  /// As it is called when the renames are done.
  var table: String
  var conversions: [Conversion] = []
  var additions: [Addition] = []
  var key: Key?
  var foreignKeys: [String] = []
  /// Of rows that are equal in the key the last one stays, and rows without a key go.
  var dropsRows = false
  /// The columns of the key afterwards.
  var keyColumns: [String] = []

  /// Bookkeeping names are reserved, so no table of a mapping has it.
  private static let newName = "_ingest_rebuilt"

  var isEmpty: Bool { conversions.isEmpty && key == nil && foreignKeys.isEmpty }

  /// What makes the new table of the stored one, and puts it in its place.
  func statements(_ stored: StoredTable, renamed: [FoldedName: String] = [:]) throws(StoreError) -> [String] {
    guard var definition = CreateTable(stored.sql) else {
      throw StoreError(.refused, "table '\(table)' was made by a statement that ingest cannot change")
    }
    definition.rename(renamed)
    for conversion in conversions { definition.setType(of: conversion.column, to: conversion.declaredType) }
    for addition in additions { definition.add(column: addition.definition) }
    if let key { definition.setPrimaryKey(key.columns, former: key.former, isGenerated: key.isGenerated) }
    for constraint in foreignKeys { definition.add(constraint: constraint) }
    let (new, old) = (Identifier.quoted(Self.newName), Identifier.quoted(table))
    return [
      definition.sql(named: Self.newName), copy(stored, renamed, from: old, to: new), "DROP TABLE \(old)",
      "ALTER TABLE \(new) RENAME TO \(old)",
    ]
  }

  private func copy(
    _ stored: StoredTable, _ renamed: [FoldedName: String], from old: String, to new: String
  ) -> String {
    var names: [String] = []
    var values: [String] = []
    for column in stored.columns where !column.isGenerated {
      let name = Identifier.quoted(renamed[FoldedName(column.spelling)] ?? column.spelling)
      names.append(name)
      values.append(value(of: column.name, named: name))
    }
    let number = stored.rowNumber
    if let key, key.isGenerated, stored.column(FoldedName(key.columns[0])) == nil, let number {
      names.append(Identifier.quoted(key.columns[0]))
      values.append(number)
    }
    var sql = "INSERT \(dropsRows ? "OR REPLACE " : "")INTO \(new) (\(names.joined(separator: ", "))) "
    sql += "SELECT \(values.joined(separator: ", ")) FROM \(old)"
    if dropsRows, key?.isGenerated != true {
      sql += " WHERE " + keyColumns.map { "\(keyValue($0, stored)) IS NOT NULL" }.conjunction
    }
    var order = number.map { [$0] } ?? []
    // Numbers are given to rows that have none, after those that have one.
    if let key, key.isGenerated { order.insert("\(keyValue(key.columns[0], stored)) IS NULL", at: 0) }
    return order.isEmpty ? sql : sql + " ORDER BY " + order.joined(separator: ", ")
  }

  private func keyValue(_ name: String, _ stored: StoredTable) -> String {
    guard let column = stored.column(FoldedName(name)) else { return "NULL" }
    return value(of: column.name, named: Identifier.quoted(name))
  }

  func value(of column: FoldedName, named name: String) -> String {
    guard let conversion = conversions.first(where: { $0.column == column }) else { return name }
    return StoredConversion.sql(name, conversion.change)
  }

  /// Runs it, in a transaction with foreign keys off; see SQLite's "Making Other Kinds Of Table Schema Changes".
  func run(on connection: Connection) throws(StoreError) {
    guard let stored = try SchemaReader(connection: connection).table(table) else {
      throw StoreError(.failed, "table '\(table)' is gone")
    }
    let attachments = try connection.prepare(
      """
      SELECT sql FROM main.sqlite_schema
      WHERE tbl_name = ?1 COLLATE NOCASE AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid
      """)
    try attachments.bind(table, at: 0)
    var restored: [String] = []
    while try attachments.step() { restored.append(attachments.text(0) ?? "") }
    // Views and triggers that name the table must not be looked at while it is not there.
    try connection.run("PRAGMA legacy_alter_table = ON")
    defer { try? connection.run("PRAGMA legacy_alter_table = OFF") }
    for sql in try statements(stored) + restored { try connection.prepare(sql).run() }
  }
}

extension StoredTable {
  /// The name of the row number that no column hides; nil when all are hidden.
  var rowNumber: String? { TableSQL.rowNumber(beside: Set(columns.map(\.name))) }
}
