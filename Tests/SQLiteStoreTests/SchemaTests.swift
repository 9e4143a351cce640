import Records
import SQLiteStore
import Store
import Testing

/// What `prepare` makes of a database.
struct SchemaTests {
  private func prepare(
    _ database: TemporaryDatabase, _ shapes: TableShape..., allowingLoss: Bool = false
  ) throws {
    let schema = StoreSchema(tables: shapes.map { .init(shape: $0, record: $0.name) })
    try SQLiteStore(path: database.path).prepare(schema, allowingLoss: allowingLoss)
  }

  private func refusal(
    _ database: TemporaryDatabase, _ shapes: TableShape..., allowingLoss: Bool = false
  ) throws -> String {
    let before = try database.rows("SELECT * FROM sqlite_schema")
    let schema = StoreSchema(tables: shapes.map { .init(shape: $0, record: $0.name) })
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(schema, allowingLoss: allowingLoss)
    }
    #expect(error.code == .refused)
    #expect(try database.rows("SELECT * FROM sqlite_schema") == before)
    return error.message
  }

  @Test func `each type has its column`() throws {
    let database = try TemporaryDatabase()
    var shape = Shapes.record("t", key: ["uuid"], ColumnType.allCases.map { ($0.rawValue, $0) })
    shape.columns.append(.init(name: "kept", type: .integer, takesAnyText: true))
    try prepare(database, shape)
    #expect(
      try database.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('t')") == [
        "'any','ANY',0,0", "'text','TEXT',0,0", "'integer','INTEGER',0,0", "'real','REAL',0,0", "'decimal','TEXT',0,0",
        "'boolean','INTEGER',0,0", "'date','TEXT',0,0", "'time','TEXT',0,0", "'timestamp','TEXT',0,0",
        "'uuid','TEXT',1,1", "'url','TEXT',0,0", "'json','TEXT',0,0", "'bytes','BLOB',0,0", "'kept','ANY',0,0",
      ])
    #expect(try database.rows("SELECT strict, wr FROM pragma_table_list('t')") == ["1,0"])
  }

  @Test func `every foreign key begins the primary key or an index`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    let names =
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%' "
      + "AND tbl_name NOT LIKE '_ingest%' ORDER BY 1"
    #expect(try database.rows(names) == ["'article_tags_tag_id'", "'articles_author_id'"])
    #expect(
      try database.rows("SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list('articles')")
        == ["'authors','author_id','id','SET NULL'"])
    #expect(
      try database.rows("SELECT DISTINCT on_delete FROM pragma_foreign_key_list('article_tags')") == ["'CASCADE'"])
  }

  @Test func `a database that is as the mapping wants it is not written`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    let before = try database.contents()
    try SQLiteStore(path: database.path).prepare(Shapes.articles, allowingLoss: false)
    #expect(try database.contents() == before)
  }

  @Test func `names are quoted, whatever is in them`() throws {
    let database = try TemporaryDatabase()
    let name = #"a"; DROP TABLE t;--` ]'%s$1?"#
    let schema = StoreSchema(tables: [
      .init(shape: Shapes.record(name, key: [name + "k"], [(name + "k", .text), ("select", .any)]), record: "T")
    ])
    let store = try database.store(schema)
    for value in ["x", "y"] as [Value] { try store.write(schema) { $0.row(name, "k", value) } }
    #expect(try database.rows("SELECT \"select\" FROM \(quoted(name))") == ["'y'"])
    try SQLiteStore(path: database.path).prepare(schema, allowingLoss: false)
  }

  private func quoted(_ name: String) -> String { "\"" + name.split(separator: "\"").joined(separator: "\"\"") + "\"" }

  @Test func `columns, indexes and tables that are new are added`() throws {
    let database = try TemporaryDatabase()
    try prepare(database, Shapes.record("t", key: ["id"], [("id", .integer), ("a", .text)]))
    try database.run(
      "INSERT INTO t VALUES (1, 'x'); ALTER TABLE t ADD COLUMN mine TEXT DEFAULT 'm'; CREATE INDEX by_a ON t(a);"
        + "CREATE TABLE scratch(x); CREATE VIEW v AS SELECT mine FROM t; CREATE INDEX t_b ON scratch(x)")
    var wide = Shapes.record(
      "T", key: ["ID"], [("ID", .integer), ("A", .text), ("b", .real), ("p_id", .integer)],
      references: [("p_id", "p")])
    wide.indexes = [.init(columns: [1]), .init(columns: [2], isUnique: true), .init(columns: [2, 1])]
    try prepare(database, wide, Shapes.record("p", key: ["id"], [("id", .integer)]))
    #expect(try database.rows("SELECT * FROM t") == ["1,'x','m',NULL,NULL"])
    #expect(
      try database.rows("SELECT name, \"unique\" FROM pragma_index_list('t') ORDER BY 1") == [
        "'T_b_2',1", "'T_b_A',0", "'T_p_id',0", "'by_a',0",
      ])
    #expect(try database.rows("SELECT \"table\", \"from\" FROM pragma_foreign_key_list('t')") == ["'p','p_id'"])
    #expect(try database.rows("SELECT * FROM v") == ["'m'"])
    let before = try database.contents()
    try prepare(database, wide, Shapes.record("p", key: ["id"], [("id", .integer)]))
    #expect(try database.contents() == before)
  }

  /// Things of the user's that have the name of a table of the mapping.
  static let obstacles: [(sql: String, reason: String)] = [
    ("CREATE VIEW t AS SELECT 1 AS id", "is a view"), ("CREATE TABLE t (id INTEGER PRIMARY KEY)", "not a STRICT table"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID", "WITHOUT ROWID"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT AS (id) STORED) STRICT", "generated"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB) STRICT", "is BLOB and would become text"),
  ]

  @Test(arguments: obstacles) func `what cannot hold the rows unaltered is refused`(_ sql: String, _ reason: String)
    throws
  {
    let database = try TemporaryDatabase()
    try database.run(sql)
    #expect(try refusal(database, Shapes.record("t", key: ["id"], [("id", .integer), ("x", .text)])).contains(reason))
  }

  @Test func `a strict table of the user's own is filled`() throws {
    let database = try TemporaryDatabase()
    try database.run("CREATE TABLE t (mine TEXT, \"rowid\" INT, x TEXT, id INT PRIMARY KEY) STRICT")
    let schema = StoreSchema(tables: [
      .init(shape: Shapes.record("t", key: ["id"], [("id", .integer), ("x", .text), ("rowid", .integer)]), record: "T")
    ])
    let store = try database.store(schema)
    for (value, outcome) in [("x", "+1 ~0 =0"), ("y", "+0 ~1 =0"), ("y", "+0 ~0 =1")] as [(Value, String)] {
      #expect(try store.write(schema) { $0.row("t", 7, value, 3) }["T"] == outcome)
    }
    #expect(try database.rows("SELECT * FROM t") == ["NULL,3,'y',7"])
  }

  @Test func `a table where no name is left for the row number is refused`() throws {
    let database = try TemporaryDatabase()
    let columns = ["rowid", "_rowid_", "oid", "id"].map { ($0, ColumnType.integer) }
    #expect(throws: StoreError.self) { try prepare(database, Shapes.record("t", key: ["id"], columns)) }
  }

  @Test func `a unique index over equal rows is refused`() throws {
    let database = try TemporaryDatabase()
    var shape = Shapes.record("t", key: ["id"], [("id", .integer), ("a", .text)])
    try prepare(database, shape)
    try database.run("INSERT INTO t VALUES (1, 'secret'), (2, 'secret')")
    shape.indexes = [.init(columns: [1], isUnique: true)]
    let message = try refusal(database, shape)
    #expect(message.contains("'t' holds rows that are equal in (a)"))
    #expect(!message.contains("secret"))
  }

  @Test func `bookkeeping of a newer version is refused`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    try database.run("UPDATE _ingest_schema SET type = '99' WHERE \"column\" = ''")
    #expect(try refusal(database, Shapes.record("t", key: [], [("a", .text)])).contains("newer ingest (bookkeeping 99"))
  }
}
