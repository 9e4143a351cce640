import Store

/// Reads tables as they are stored.
struct SchemaReader {
  let connection: Connection

  /// The table of that name, in any letter case; nil when there is none.
  func table(_ name: String) throws(StoreError) -> StoredTable? {
    let list = try connection.prepare(
      """
      SELECT l.name, s.sql, l.type, l.wr, l.strict FROM pragma_table_list l
      LEFT JOIN main.sqlite_schema s ON s.name = l.name AND s.type IN ('table', 'view')
      WHERE l.schema = 'main' AND l.name = ?1 COLLATE NOCASE
      """)
    try list.bind(name, at: 0)
    guard try list.step() else { return nil }
    var table = StoredTable(
      spelling: list.text(0) ?? "", sql: list.text(1) ?? "", kind: list.text(2) ?? "",
      hasRowNumbers: list.integer(3) == 0, isStrict: list.integer(4) == 1)
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
      let spelling = rows.text(0) ?? ""
      let column = FoldedName(spelling)
      table.columns.append(
        .init(name: column, spelling: spelling, type: rows.text(1) ?? "", isGenerated: rows.integer(3) > 1))
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
      SELECT l.name, l."unique", s.sql, l.partial FROM pragma_index_list(?1, 'main') l
      LEFT JOIN main.sqlite_schema s ON s.name = l.name AND s.type = 'index'
      WHERE l.origin <> 'pk' ORDER BY l.name
      """)
    try list.bind(name, at: 0)
    let columns = try connection.prepare(
      """
      SELECT name, coll FROM pragma_index_xinfo(?1, 'main') WHERE key = 1 ORDER BY seqno
      """)
    while try list.step() {
      try columns.bind(list.text(0), at: 0)
      var index = StoredTable.Index(columns: [], isUnique: list.integer(1) == 1, condition: [])
      if list.integer(3) == 1 {
        let words = SQLTokens(list.text(2) ?? "").texts
        let place = words.lastIndex { $0.lowercased() == "where" } ?? words.count - 1
        index.condition = Array(words[(place + 1)...])
      }
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
