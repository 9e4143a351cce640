import Records
import Store

/// Primary keys, foreign keys and indexes.
extension SchemaPlanner {
  mutating func compareKey(
    of shape: TableShape, with stored: StoredTable, _ rebuild: inout TableRebuild
  ) throws(StoreError) {
    let wanted = shape.keyNames
    let isGenerated = shape.primaryKey.isEmpty
    guard stored.primaryKey != (wanted.map { FoldedName($0) }) else {
      // Values of the key that do not convert are lost with their rows; that step says so.
      let key = Set(stored.primaryKey)
      rebuild.dropsRows = rebuild.conversions.contains { key.contains($0.column) && !$0.change.isWidening }
      return
    }
    let names = wanted.map { FoldedName($0) }
    let former = stored.primaryKey.filter { isGenerated || !names.contains($0) }
    rebuild.key = TableRebuild.Key(columns: wanted, former: former, isGenerated: isGenerated)
    let lost = try rowsLost(by: wanted, isGenerated: isGenerated, stored, rebuild)
    rebuild.dropsRows = lost > 0
    if try isReferredTo(stored), !stored.primaryKey.isEmpty {
      // Foreign keys of other tables still need it to be unique.
      let names = stored.columns.filter { stored.primaryKey.contains($0.name) }.map(\.spelling)
      rebuild.foreignKeys.append("UNIQUE (\(Identifier.quoted(names)))")
    }
    add(
      .init(
        .changeKey, table: shape.name,
        summary: "the primary key of table '\(shape.name)' would become (\(wanted.joined(separator: ", ")))",
        isLossy: lost > 0, affectedRows: lost,
        before: stored.columns.filter { stored.primaryKey.contains($0.name) }.map(\.spelling).joined(separator: ", "),
        after: wanted.joined(separator: ", ")), .nothing)
  }

  private func rowsLost(
    by key: [String], isGenerated: Bool, _ stored: StoredTable, _ rebuild: TableRebuild
  ) throws(StoreError) -> Int {
    let table = Identifier.quoted(stored.spelling)
    let values = key.map { name in
      stored.column(FoldedName(name)).map { rebuild.value(of: $0.name, named: Identifier.quoted($0.spelling)) }
        ?? "NULL"
    }
    let isWhole = values.map { "\($0) IS NOT NULL" }.conjunction
    let kept = try count("FROM (SELECT DISTINCT \(values.joined(separator: ", ")) FROM \(table) WHERE \(isWhole))")
    return try count("FROM \(table)" + (isGenerated ? " WHERE \(isWhole)" : "")) - kept
  }

  private func isReferredTo(_ stored: StoredTable) throws(StoreError) -> Bool {
    let name = stored.spelling.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    return try count(
      """
      FROM main.sqlite_schema m, pragma_foreign_key_list(m.name) f
      WHERE m.type = 'table' AND f."table" = '\(name)' COLLATE NOCASE
      """) > 0
  }

  /// A foreign key of one column that is missing too comes with that column; any other one needs a new table.
  mutating func compare(
    _ key: ForeignKey, of shape: TableShape, with stored: StoredTable, _ rebuild: inout TableRebuild
  ) throws(StoreError) {
    let columns = shape.names(key.columns)
    let referenced = key.referenced.map { FoldedName($0) }
    let isThere = stored.references.contains { reference in
      reference.columns == columns.map { FoldedName($0) } && reference.table == FoldedName(key.table)
        && (reference.referenced == referenced || reference.referenced.isEmpty) && reference.onDelete == key.action
    }
    if isThere { return }
    let found = columns.compactMap { stored.column(FoldedName($0)) }
    if columns.count == 1, found.isEmpty { return }
    rebuild.foreignKeys.append(shape.constraint(key))
    let lost = found.count == columns.count ? try dangling(found, to: key, in: stored) : 0
    add(
      .init(
        .addForeignKey, table: shape.name, column: columns.count == 1 ? columns[0] : nil,
        summary: "table '\(shape.name)' would get a foreign key from (\(columns.joined(separator: ", "))) "
          + "to '\(key.table)'",
        isLossy: lost > 0, affectedRows: lost,
        after: "foreign key (\(columns.joined(separator: ", "))) to \(key.table)"), .nothing)
  }

  /// Rows that refer to none.
  private func dangling(
    _ columns: [StoredTable.Column], to key: ForeignKey, in table: StoredTable
  ) throws(StoreError) -> Int {
    let names = columns.map { "t.\(Identifier.quoted($0.spelling))" }
    let rows =
      "FROM \(Identifier.quoted(table.spelling)) t WHERE "
      + names.map { "\($0) IS NOT NULL" }.conjunction
    guard let parent = stored[key.table] else { return try count(rows) }
    let parts = key.referenced.compactMap { parent.column(FoldedName($0))?.spelling }
    guard parts.count == names.count else { return try count(rows) }
    let isEqual = zip(parts, names).map { "p.\(Identifier.quoted($0)) = \($1)" }.conjunction
    return try count("\(rows) AND NOT EXISTS (SELECT 1 FROM \(Identifier.quoted(parent.spelling)) p WHERE \(isEqual))")
  }

  mutating func createIndex(_ index: IndexShape, of shape: TableShape, rows: Int) {
    let columns = shape.names(index.columns)
    if let condition = index.condition, SQLTokens(condition).texts.contains(";") {
      obstacles.append("the condition of an index of table '\(shape.name)' is more than a condition")
      return
    }
    let base = ([shape.name] + columns).joined(separator: "_")
    var name = base
    // An index cannot have the name of a table, nor of an index of the user's.
    var number = 2
    while !taken.insert(FoldedName(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    add(
      .init(
        .createIndex, table: shape.name, column: columns.count == 1 ? columns[0] : nil,
        summary: "table '\(shape.name)' gets \(index.isUnique ? "a unique index" : "an index") "
          + "on (\(columns.joined(separator: ", ")))",
        sql: [shape.createIndex(index, named: name)], affectedRows: rows,
        after: "\(index.isUnique ? "unique " : "")index on (\(columns.joined(separator: ", ")))"
          + (index.condition.map { " where \($0)" } ?? "")))
  }
}
