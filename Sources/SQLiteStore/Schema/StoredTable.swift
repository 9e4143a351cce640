import Store

/// A table as the database has it.
struct StoredTable {
  struct Column {
    var name: FoldedName
    var type: String
    /// Computed from other columns: nothing can be written there.
    var isGenerated: Bool
  }

  struct Reference: Hashable {
    var columns: [FoldedName]
    var table: FoldedName
    /// Empty when it refers to the primary key without naming it.
    var referenced: [FoldedName]
    var onDelete: String
  }

  struct Index {
    var columns: [FoldedName]
    var isUnique: Bool
  }

  /// `table`, `view`, `virtual` or `shadow`.
  var kind: String
  var hasRowNumbers: Bool
  var isStrict: Bool
  var columns: [Column] = []
  var primaryKey: [FoldedName] = []
  var references: Set<Reference> = []
  /// Whole ones over plain columns; the primary key's is not among them.
  var indexes: [Index] = []

  func column(_ name: FoldedName) -> Column? { columns.first { $0.name == name } }
}

/// Reads tables as they are stored.
struct SchemaReader {
  let connection: Connection

  /// The table of that name, in any letter case; nil when there is none.
  func table(_ name: String) throws(StoreError) -> StoredTable? {
    let list = try connection.prepare(
      "SELECT type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?1 COLLATE NOCASE")
    try list.bind(name, at: 0)
    guard try list.step() else { return nil }
    var table = StoredTable(
      kind: list.text(0) ?? "", hasRowNumbers: list.integer(1) == 0, isStrict: list.integer(2) == 1)
    list.reset()
    try readColumns(of: name, into: &table)
    try readReferences(of: name, into: &table)
    try readIndexes(of: name, into: &table)
    return table
  }

  /// Names of everything that shares the namespace of tables and indexes.
  func names() throws(StoreError) -> Set<FoldedName> {
    let rows = try connection.prepare("SELECT name FROM main.sqlite_schema")
    var names: Set<FoldedName> = []
    while try rows.step() { names.insert(FoldedName(rows.text(0) ?? "")) }
    return names
  }

  private func readColumns(of name: String, into table: inout StoredTable) throws(StoreError) {
    let rows = try connection.prepare("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid")
    try rows.bind(name, at: 0)
    var key: [(place: Int64, name: FoldedName)] = []
    while try rows.step() {
      let column = FoldedName(rows.text(0) ?? "")
      table.columns.append(.init(name: column, type: rows.text(1) ?? "", isGenerated: rows.integer(3) > 1))
      if rows.integer(2) > 0 { key.append((rows.integer(2), column)) }
    }
    table.primaryKey = key.sorted { $0.place < $1.place }.map(\.name)
  }

  private func readReferences(of name: String, into table: inout StoredTable) throws(StoreError) {
    let rows = try connection.prepare(
      """
      SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?1, 'main') ORDER BY id, seq
      """)
    try rows.bind(name, at: 0)
    var number: Int64?
    var reading: StoredTable.Reference?
    while try rows.step() {
      if rows.integer(0) != number, let whole = reading {
        table.references.insert(whole)
        reading = nil
      }
      number = rows.integer(0)
      var reference =
        reading
        ?? .init(columns: [], table: FoldedName(rows.text(1) ?? ""), referenced: [], onDelete: rows.text(4) ?? "")
      reference.columns.append(FoldedName(rows.text(2) ?? ""))
      if let column = rows.text(3) { reference.referenced.append(FoldedName(column)) }
      reading = reference
    }
    if let reading { table.references.insert(reading) }
  }

  private func readIndexes(of name: String, into table: inout StoredTable) throws(StoreError) {
    let list = try connection.prepare(
      """
      SELECT name, "unique" FROM pragma_index_list(?1, 'main') WHERE partial = 0 AND origin <> 'pk' ORDER BY name
      """)
    try list.bind(name, at: 0)
    let columns = try connection.prepare(
      """
      SELECT name, coll FROM pragma_index_xinfo(?1, 'main') WHERE key = 1 ORDER BY seqno
      """)
    while try list.step() {
      try columns.bind(list.text(0), at: 0)
      var index = StoredTable.Index(columns: [], isUnique: list.integer(1) == 1)
      var isPlain = true
      while try columns.step() {
        guard let column = columns.text(0), columns.text(1) == "BINARY" else {
          isPlain = false
          continue
        }
        index.columns.append(FoldedName(column))
      }
      if isPlain { table.indexes.append(index) }
    }
  }
}
