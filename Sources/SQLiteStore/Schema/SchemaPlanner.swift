import Records
import Store

/// Compares the database with what the mapping wants.
struct SchemaPlanner {
  /// What to do about a step that would lose data, or that is not to be had yet.
  let allowingLoss: Bool
  private let reader: SchemaReader
  /// Types of the mapping that were noted when the columns were made.
  private let noted: [NotedColumn: String]
  /// Names of tables and indexes, those of this plan included.
  private var taken: Set<FoldedName>
  private(set) var plan = SchemaPlan()

  struct NotedColumn: Hashable {
    var table: FoldedName
    var column: FoldedName
  }

  init(
    _ connection: Connection, noted: [NotedColumn: String], wanted: [TableShape], allowingLoss: Bool
  ) throws(StoreError) {
    reader = SchemaReader(connection: connection)
    self.noted = noted
    self.allowingLoss = allowingLoss
    taken = try reader.names().union(wanted.map { FoldedName($0.name) })
    for shape in wanted { try compare(shape) }
  }

  private mutating func compare(_ shape: TableShape) throws(StoreError) {
    guard let stored = try reader.table(shape.name) else { return create(shape) }
    guard canHold(stored, shape) else { return }
    compareKey(of: shape, with: stored)
    for index in shape.columns.indices { compareColumn(index, of: shape, with: stored) }
    for key in shape.foreignKeys { compareForeignKey(key, of: shape, with: stored) }
    for index in shape.indexes {
      let columns = shape.names(index.columns).map(FoldedName.init)
      let isThere = stored.indexes.contains { $0.columns == columns && (!index.isUnique || $0.isUnique) }
      if !isThere { createIndex(index, of: shape) }
    }
    for index in shape.foreignKeyIndexes {
      let columns = shape.names(index.columns).map(FoldedName.init)
      if !stored.indexes.contains(where: { $0.columns.starts(with: columns) }) { createIndex(index, of: shape) }
    }
  }

  private mutating func create(_ shape: TableShape) {
    plan.steps.append(.createTable(table: shape.name, sql: shape.createTable))
    for column in shape.columns {
      plan.steps.append(.note(table: shape.name, column: column.name, type: column.mappingType))
    }
    for index in shape.indexes + shape.foreignKeyIndexes { createIndex(index, of: shape) }
  }

  private mutating func createIndex(_ index: IndexShape, of shape: TableShape) {
    let columns = shape.names(index.columns)
    let base = ([shape.name] + columns).joined(separator: "_")
    var name = base
    // An index cannot have the name of a table, nor of an index of the user's.
    var number = 2
    while !taken.insert(FoldedName(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    plan.steps.append(
      .createIndex(table: shape.name, columns: columns, sql: shape.createIndex(index, named: name)))
  }

  /// Whether rows can be kept there unaltered.
  private mutating func canHold(_ stored: StoredTable, _ shape: TableShape) -> Bool {
    let reason: String
    if stored.kind != "table" {
      reason = "is a \(stored.kind) in the database, not a table"
    } else if !stored.isStrict {
      reason = "is not a STRICT table: it could alter values"
    } else if !stored.hasRowNumbers {
      reason = "is a WITHOUT ROWID table, which cannot be filled"
    } else {
      return true
    }
    plan.refusals.append("'\(shape.name)' \(reason); rename it, or name another table in the mapping (table: …)")
    return false
  }

  private mutating func compareKey(of shape: TableShape, with stored: StoredTable) {
    let wanted = shape.keyNames
    guard stored.primaryKey != wanted.map(FoldedName.init) else { return }
    refuse("the primary key of table '\(shape.name)' would become (\(wanted.joined(separator: ", ")))", loses: "rows")
  }

  private mutating func compareColumn(_ index: Int, of shape: TableShape, with stored: StoredTable) {
    let column = shape.columns[index]
    guard let found = stored.column(FoldedName(column.name)) else {
      // A missing column of the key is reported with the key.
      if !shape.primaryKey.contains(index) { add(index, to: shape) }
      return
    }
    guard !found.isGenerated else {
      plan.refusals.append("column '\(column.name)' of table '\(shape.name)' is generated: nothing can be stored there")
      return
    }
    let name = NotedColumn(table: FoldedName(shape.name), column: FoldedName(column.name))
    let declared = FoldedName(found.type == "INT" ? "INTEGER" : found.type)
    if let type = noted[name], type != column.mappingType {
      refuseType(of: column, in: shape, from: type)
    } else if declared != FoldedName(column.declaredType) {
      refuseType(of: column, in: shape, from: found.type)
    } else if noted[name] == nil {
      plan.steps.append(.note(table: shape.name, column: column.name, type: column.mappingType))
    }
  }

  private mutating func add(_ index: Int, to shape: TableShape) {
    let column = shape.columns[index]
    let own = shape.foreignKeys.first { $0.columns == [index] }
    plan.steps.append(.addColumn(table: shape.name, sql: shape.addColumn(index, foreignKey: own)))
    plan.steps.append(.note(table: shape.name, column: column.name, type: column.mappingType))
  }

  /// A foreign key of one column that is missing too comes with that column; any other one cannot be added to a table.
  private mutating func compareForeignKey(_ key: ForeignKey, of shape: TableShape, with stored: StoredTable) {
    let columns = shape.names(key.columns)
    let referenced = key.referenced.map(FoldedName.init)
    let isThere = stored.references.contains { reference in
      reference.columns == columns.map(FoldedName.init) && reference.table == FoldedName(key.table)
        && (reference.referenced == referenced || reference.referenced.isEmpty) && reference.onDelete == key.action
    }
    if isThere || (columns.count == 1 && stored.column(FoldedName(columns[0])) == nil) { return }
    refuse(
      "table '\(shape.name)' would get a foreign key from (\(columns.joined(separator: ", "))) to '\(key.table)'",
      loses: "rows that refer to none")
  }

  private mutating func refuseType(of column: ColumnShape, in shape: TableShape, from type: String) {
    refuse(
      "column '\(column.name)' of table '\(shape.name)' is \(type) and would become \(column.mappingType)",
      loses: "values")
  }

  private mutating func refuse(_ change: String, loses what: String) {
    let advice =
      allowingLoss
      ? "this version cannot do that, even with --allow-loss: name another table, or move this one away"
      : "this could lose \(what), so it is not done without --allow-loss"
    plan.refusals.append("\(change); \(advice)")
  }
}
