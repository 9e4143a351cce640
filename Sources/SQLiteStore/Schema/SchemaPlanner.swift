import Records
import Store

/// Compares the database with what the mapping wants: renames first, then table by table.
struct SchemaPlanner {
  /// How a step is taken; most of them are their statements.
  enum Action: Hashable {
    case statements
    case rebuild(TableRebuild)
    /// A part of a rebuild that follows, or a matter of `notes` alone.
    case nothing
  }

  struct NotedColumn: Hashable {
    var table: FoldedName
    var column: FoldedName
  }

  /// A column's type of the mapping, to be noted in `_ingest_schema`.
  struct Note: Hashable {
    var table: String
    var column: String
    var type: String
  }

  let connection: Connection
  let stored: StoredTables
  private let hasBookkeeping: Bool
  /// Types of the mapping that were noted when the columns were made.
  private var noted: [NotedColumn: String]
  /// Names of tables and indexes, those of this plan included.
  var taken: Set<FoldedName>
  private(set) var steps: [(step: SchemaPlan.Step, action: Action)] = []
  var obstacles: [String] = []
  private(set) var notes: [Note] = []

  /// `noted` is nil for a database that has no bookkeeping.
  init(_ connection: Connection, noted: [NotedColumn: String]?, wanted: [TableShape]) throws(StoreError) {
    // A membership says which rows of another table belong together.
    let wanted = wanted.filter { $0.role != .membership }
    let reader = SchemaReader(connection: connection)
    self.connection = connection
    self.noted = noted ?? [:]
    hasBookkeeping = noted != nil
    stored = try StoredTables(reader, wanted: wanted)
    taken = try reader.names().union(wanted.map { FoldedName($0.name) })
    for rename in stored.renames { take(rename) }
    for shape in wanted { try compare(shape) }
  }

  var plan: SchemaPlan { SchemaPlan(steps: steps.map(\.step), obstacles: obstacles) }

  var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty && notes.isEmpty }

  mutating func add(_ step: SchemaPlan.Step, _ action: Action = .statements) { steps.append((step, action)) }

  private mutating func take(_ rename: StoredTables.Rename) {
    let old = FoldedName(rename.former)
    let table = FoldedName(rename.table)
    for (name, type) in noted {
      if let column = rename.column, name == NotedColumn(table: table, column: old) {
        noted[name] = nil
        noted[NotedColumn(table: table, column: FoldedName(column))] = type
      } else if rename.column == nil, name.table == old {
        noted[name] = nil
        noted[NotedColumn(table: table, column: name.column)] = type
      }
    }
    let what =
      rename.column.map { "column '\(rename.former)' of table '\(rename.table)' becomes '\($0)'" }
      ?? "table '\(rename.former)' becomes '\(rename.table)'"
    add(
      .init(
        rename.column == nil ? .renameTable : .renameColumn, table: rename.table, column: rename.column,
        summary: what, sql: [rename.sql] + (hasBookkeeping ? [rename.note] : []), before: rename.former,
        after: rename.column ?? rename.table))
  }

  private mutating func compare(_ shape: TableShape) throws(StoreError) {
    guard let table = stored[shape.name] else { return create(shape) }
    guard canHold(table, shape), hasRoom(in: table, for: shape) else { return }
    var rebuild = TableRebuild(table: shape.name, keyColumns: shape.keyNames)
    for column in shape.columns { try compare(column, of: shape, with: table, &rebuild) }
    try compareKey(of: shape, with: table, &rebuild)
    for key in shape.foreignKeys { try compare(key, of: shape, with: table, &rebuild) }
    addColumns(of: shape, to: table, &rebuild)
    if !rebuild.isEmpty {
      let sql = try rebuild.statements(table, renamed: stored.renamedColumns(of: shape.name))
      add(
        .init(
          .rebuildTable, table: shape.name, summary: "table '\(shape.name)' is made anew", sql: sql,
          affectedRows: try rows(of: table)),
        .rebuild(rebuild))
    }
    let rows = try rows(of: table)
    for index in shape.indexes where !table.has(index, of: shape) { createIndex(index, of: shape, rows: rows) }
    for index in shape.foreignKeyIndexes {
      let columns = shape.names(index.columns).map { FoldedName($0) }
      let isThere = table.indexes.contains { $0.condition.isEmpty && $0.columns.starts(with: columns) }
      if !isThere { createIndex(index, of: shape, rows: rows) }
    }
  }

  private mutating func create(_ shape: TableShape) {
    add(
      .init(.createTable, table: shape.name, summary: "table '\(shape.name)' is created", sql: [shape.createTable]))
    for column in shape.columns { note(column, of: shape) }
    for index in shape.indexes + shape.foreignKeyIndexes { createIndex(index, of: shape, rows: 0) }
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
    obstacles.append("'\(shape.name)' \(reason); rename it, or name another table in the mapping (table: …)")
    return false
  }

  /// Columns of the user's own count too.
  private mutating func hasRoom(in stored: StoredTable, for shape: TableShape) -> Bool {
    var names = Set(stored.columns.map(\.name))
    names.formUnion(shape.columns.map { FoldedName($0.name) })
    if shape.primaryKey.isEmpty { names.insert(FoldedName(TableShape.generatedKey)) }
    if names.count > Self.mostColumns {
      obstacles.append(
        "table '\(shape.name)' would have \(names.count) columns, those of your own included, and SQLite keeps "
          + "\(Self.mostColumns)")
      return false
    }
    guard TableSQL.rowNumber(beside: names) == nil else { return true }
    obstacles.append(TableSQL.hiddenRowNumber(of: shape.name))
    return false
  }

  private static let mostColumns = 2000

  private mutating func compare(
    _ column: ColumnShape, of shape: TableShape, with stored: StoredTable, _ rebuild: inout TableRebuild
  ) throws(StoreError) {
    guard let found = stored.column(FoldedName(column.name)) else { return }
    guard !found.isGenerated else {
      obstacles.append("column '\(column.name)' of table '\(shape.name)' is generated: nothing can be stored there")
      return
    }
    let name = noted[NotedColumn(table: FoldedName(shape.name), column: FoldedName(column.name))]
    let declared = found.type.uppercased() == "INT" ? "INTEGER" : found.type.uppercased()
    let isDeclaredSo = declared == column.declaredType
    guard name != column.mappingType || !isDeclaredSo else { return }
    if name == nil, isDeclaredSo { return note(column, of: shape) }
    let from = name.flatMap { StoredType(noted: $0) } ?? StoredType(declared: declared)
    let change = TypeChange(from: from, to: StoredType(column))
    let isLossy = !change.isWidening
    if !(change.keepsValues && isDeclaredSo) {
      rebuild.conversions.append(
        .init(column: found.name, change: change, declaredType: column.declaredType))
    }
    let former = name ?? found.type
    add(
      .init(
        isLossy ? .changeColumn : .widenColumn, table: shape.name, column: column.name,
        summary: "column '\(column.name)' of table '\(shape.name)' is \(former) and would become \(column.mappingType)",
        isLossy: isLossy, affectedRows: try rows(of: stored, touchedBy: change, in: found), before: former,
        after: column.mappingType), .nothing)
    note(column, of: shape)
  }

  private func rows(
    of table: StoredTable, touchedBy change: TypeChange, in column: StoredTable.Column
  ) throws(StoreError) -> Int {
    if change.keepsValues { return 0 }
    let name = Identifier.quoted(column.spelling)
    let lost = change.isWidening ? "" : " AND \(StoredConversion.sql(name, change)) IS NULL"
    return try count("FROM \(Identifier.quoted(table.spelling)) WHERE \(name) IS NOT NULL\(lost)")
  }

  func rows(of table: StoredTable) throws(StoreError) -> Int { try count("FROM \(Identifier.quoted(table.spelling))") }

  func count(_ sql: String) throws(StoreError) -> Int {
    let rows = try connection.prepare("SELECT count(*) \(sql)")
    defer { rows.reset() }
    return try rows.step() ? Int(rows.integer(0)) : 0
  }

  private mutating func addColumns(of shape: TableShape, to stored: StoredTable, _ rebuild: inout TableRebuild) {
    for (index, column) in shape.columns.enumerated() where stored.column(FoldedName(column.name)) == nil {
      // A rebuild brings it along.
      if !rebuild.isEmpty {
        rebuild.additions.append(.init(name: column.name, definition: shape.addedDefinition(of: index)))
      }
      add(
        .init(
          .addColumn, table: shape.name, column: column.name,
          summary: "table '\(shape.name)' gets a column '\(column.name)' (\(column.mappingType))",
          sql: rebuild.isEmpty ? [shape.addColumn(index)] : [], after: column.mappingType),
        rebuild.isEmpty ? .statements : .nothing)
      note(column, of: shape)
    }
  }

  private mutating func note(_ column: ColumnShape, of shape: TableShape) {
    notes.append(Note(table: shape.name, column: column.name, type: column.mappingType))
  }
}

extension StoredTable {
  /// An index over the same columns serves, whatever it is called.
  fileprivate func has(_ index: IndexShape, of shape: TableShape) -> Bool {
    let columns = shape.names(index.columns).map { FoldedName($0) }
    let condition = index.condition.map { SQLTokens($0).texts } ?? []
    return indexes.contains {
      $0.columns == columns && (!index.isUnique || $0.isUnique) && $0.condition == condition
    }
  }
}
