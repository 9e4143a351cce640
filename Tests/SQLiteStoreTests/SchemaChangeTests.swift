import Records
import SQLiteStore
import Store
import Testing

/// Renames, keys, and what must survive when a table is made anew.
struct SchemaChangeTests {
  private func prepare(
    _ database: TemporaryDatabase, _ shapes: TableShape..., allowingLoss: Bool = false
  ) throws {
    let schema = StoreSchema(tables: shapes.map { .init(shape: $0, record: $0.name) })
    try SQLiteStore(path: database.path).prepare(schema, allowingLoss: allowingLoss)
  }

  private func refusal(_ database: TemporaryDatabase, _ shapes: TableShape..., allowingLoss: Bool = false) throws
    -> String
  {
    let before = try database.contents()
    let schema = StoreSchema(tables: shapes.map { .init(shape: $0, record: $0.name) })
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(schema, allowingLoss: allowingLoss)
    }
    #expect(error.code == .refused)
    #expect(try database.rows("SELECT 1") == ["1"])
    let after = try database.contents()
    if !allowingLoss { #expect(after[0] == before[0]) }
    return error.message
  }

  @Test func `what the user added survives a table that is made anew`() throws {
    let database = try TemporaryDatabase()
    try prepare(database, Shapes.record("t", key: ["id"], [("id", .integer), ("a", .integer), ("b", .text)]))
    try database.run(
      """
      INSERT INTO t VALUES (1, 5, 'x'), (2, NULL, 'y');
      ALTER TABLE t ADD COLUMN note TEXT NOT NULL DEFAULT 'it''s, mine' COLLATE NOCASE CHECK (length(note) > 0);
      ALTER TABLE t ADD COLUMN twice TEXT AS (b || '(' || b || ',') VIRTUAL;
      CREATE UNIQUE INDEX mine ON t(note COLLATE BINARY, b DESC) WHERE b <> 'where';
      CREATE TABLE scratch(x); CREATE VIEW v AS SELECT a, note, twice FROM t;
      CREATE TRIGGER hears AFTER INSERT ON t BEGIN INSERT INTO scratch VALUES (new.a); END;
      CREATE TRIGGER speaks AFTER INSERT ON scratch BEGIN UPDATE t SET b = 'z' WHERE id = 2; END;
      CREATE TABLE other (t_id INTEGER REFERENCES t(id) ON DELETE CASCADE); INSERT INTO other VALUES (1)
      """)
    let objects = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT IN ('t') ORDER BY 1, 2"
    let before = try database.rows(objects)
    let wide = Shapes.record("t", key: ["id"], [("id", .integer), ("a", .text), ("b", .any), ("c", .real)])
    try prepare(database, wide)
    #expect(try database.rows(objects).filter { !$0.contains("_ingest") } == before.filter { !$0.contains("_ingest") })
    #expect(
      try database.rows("SELECT id, a, b, note, twice, c FROM t") == [
        "1,'5','x','it's, mine','x(x,',NULL", "2,NULL,'y','it's, mine','y(y,',NULL",
      ])
    #expect(try database.rows("SELECT * FROM v") == ["'5','it's, mine','x(x,'", "NULL,'it's, mine','y(y,'"])
    try database.run("INSERT INTO t (id, a, b) VALUES (3, 'n', 'o')")
    #expect(try database.rows("SELECT * FROM scratch") == ["'n'"])
    #expect(try database.rows("SELECT b FROM t ORDER BY id") == ["'x'", "'z'", "'o'"])
    #expect(throws: StoreError.self) { try database.run("INSERT INTO t (id, note) VALUES (4, '')") }
    try database.run("DELETE FROM t WHERE id = 1")
    #expect(try database.rows("SELECT * FROM other") == [])
    #expect(try database.faults() == [])
  }

  @Test func `renames move rows and values, and what refers to them follows`() throws {
    let database = try TemporaryDatabase()
    let users = Shapes.record("users", key: ["id"], [("id", .integer), ("name", .text), ("size", .integer)])
    let posts = Shapes.record(
      "posts", key: ["id"], [("id", .integer), ("user_id", .integer)], references: [("user_id", "users")])
    try prepare(database, users, posts)
    try database.run(
      "INSERT INTO users VALUES (1, 'Ada', 7); INSERT INTO posts VALUES (1, 1); CREATE INDEX by_name ON users(name);"
        + "CREATE VIEW v AS SELECT name FROM users")
    var people = Shapes.record("people", key: ["id"], [("id", .integer), ("full_name", .text), ("size", .text)])
    people.renamedFrom = "Users"
    people.columns[1].renamedFrom = "name"
    let named = Shapes.record(
      "posts", key: ["id"], [("id", .integer), ("user_id", .integer)], references: [("user_id", "people")])
    let schema = StoreSchema(tables: [people, named].map { .init(shape: $0, record: $0.name) })
    let plan = try SQLiteStore(path: database.path).plan(schema)
    #expect(plan.steps.map(\.kind) == [.renameTable, .renameColumn, .widenColumn, .rebuildTable])
    #expect(plan.steps[3].sql[0].contains("\"full_name\" TEXT"))
    #expect(plan.steps[3].sql[1].contains("\"full_name\""))
    try prepare(database, people, named)
    #expect(try database.rows("SELECT * FROM people") == ["1,'Ada','7'"])
    #expect(try database.rows("SELECT * FROM v") == ["'Ada'"])
    #expect(try database.rows("SELECT name FROM sqlite_schema WHERE name IN ('users', 'by_name')") == ["'by_name'"])
    #expect(try database.rows("SELECT \"table\" FROM pragma_foreign_key_list('posts')") == ["'people'"])
    #expect(try database.faults() == [])
    let before = try database.contents()
    try prepare(database, people, named)
    #expect(try database.contents() == before)
    #expect(
      try database.rows("SELECT \"table\", \"column\" FROM _ingest_schema WHERE \"table\" LIKE 'user%'") == [])
  }

  @Test func `columns that are named after a key take part in its rename`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    try store.write(Shapes.articles) {
      $0.row("articles", "a", nil, nil, 7)
      $0.row("authors", 7, "Ann")
      $0.list("article_keywords", of: ["a"], [["a", 0, "w", 1]])
      $0.list("article_keywords_notes", of: ["a", 0], [["a", 0, 0, "n"]])
      $0.row("tags", 1, "t")
      $0.list("article_tags", of: ["a"], [["a", 1, 0]])
    }
    var renamed = Shapes.articles
    renamed.tables[0].shape.columns[0].name = "uid"
    renamed.tables[0].shape.columns[0].renamedFrom = "id"
    for table in renamed.tables.indices {
      for column in renamed.tables[table].shape.columns.indices {
        let name = renamed.tables[table].shape.columns[column].name
        guard name.hasSuffix("article_id") else { continue }
        renamed.tables[table].shape.columns[column].name = name.dropLast(2) + "uid"
      }
      for key in renamed.tables[table].shape.foreignKeys.indices {
        let wanted = renamed.tables[table].shape.foreignKeys[key]
        renamed.tables[table].shape.foreignKeys[key].referenced = wanted.referenced.map {
          if wanted.table == "articles" { "uid" } else { $0 == "article_id" ? "article_uid" : $0 }
        }
      }
    }
    let plan = try SQLiteStore(path: database.path).plan(renamed)
    #expect(Set(plan.steps.map(\.kind)) == [.renameColumn])
    try SQLiteStore(path: database.path).prepare(renamed, allowingLoss: false)
    #expect(try database.rows("SELECT keyword_article_uid, text FROM article_keywords_notes") == ["'a','n'"])
    #expect(try database.rows("SELECT article_uid, tag_id FROM article_tags") == ["'a',1"])
    #expect(try database.rows("SELECT uid, author_id FROM articles") == ["'a',7"])
    #expect(try database.faults() == [])
    #expect(try SQLiteStore(path: database.path).plan(renamed).steps.isEmpty)
  }

  @Test func `a former name may be used again, and a rename whose target is there is none`() throws {
    let database = try TemporaryDatabase()
    try prepare(database, Shapes.record("t", key: ["id"], [("id", .integer), ("a", .text)]))
    try database.run("INSERT INTO t VALUES (1, 'x')")
    var shape = Shapes.record("t", key: ["id"], [("id", .integer), ("c", .text), ("b", .text), ("a", .text)])
    shape.columns[1].renamedFrom = "b"
    shape.columns[2].renamedFrom = "a"
    try prepare(database, shape)
    #expect(try database.rows("SELECT id, a, b, c FROM t") == ["1,NULL,'x',NULL"])
    try prepare(database, shape)
    #expect(try database.rows("SELECT id, a, b, c FROM t") == ["1,NULL,'x',NULL"])
  }

  @Test func `a new key over rows that it tells apart is made`() throws {
    let database = try TemporaryDatabase()
    let columns: [(String, ColumnType)] = [("id", .integer), ("name", .text)]
    try prepare(database, Shapes.record("users", key: [], columns))
    try database.run("INSERT INTO users (id, name) VALUES (5, 'a'), (3, 'b')")
    let keyed = Shapes.record("users", key: ["id"], columns)
    try prepare(database, keyed)
    #expect(try database.rows("SELECT id, name, _id FROM users ORDER BY id") == ["3,'b',2", "5,'a',1"])
    #expect(try database.rows("SELECT name FROM pragma_table_info('users') WHERE pk = 1") == ["'id'"])
    let schema = StoreSchema(tables: [.init(shape: keyed, record: "users")])
    try database.store(schema).write(schema) { $0.row("users", 9, "c") }
    try prepare(database, Shapes.record("users", key: ["name", "id"], columns))
    #expect(try database.rows("SELECT name FROM pragma_table_info('users') WHERE pk = 1") == ["'name'"])
    try prepare(database, Shapes.record("users", key: [], columns))
    #expect(try database.rows("SELECT _id, id FROM users ORDER BY _id") == ["1,5", "2,3", "3,9"])
    #expect(try database.rows("SELECT count(*) FROM pragma_table_info('users') WHERE \"notnull\"") == ["0"])
    #expect(try database.faults() == [])
  }

  @Test func `a new key over duplicates or nulls is refused, and keeps the last row where loss is allowed`() throws {
    let database = try TemporaryDatabase()
    let columns: [(String, ColumnType)] = [("id", .integer), ("name", .text)]
    try prepare(database, Shapes.record("users", key: [], columns))
    try database.run("INSERT INTO users (id, name) VALUES (1, 'a'), (2, 'b'), (1, 'c'), (NULL, 'd')")
    let keyed = Shapes.record("users", key: ["id"], columns)
    let message = try refusal(database, keyed)
    for part in ["'users'", "(id)", "--allow-loss"] { #expect(message.contains(part)) }
    let schema = StoreSchema(tables: [.init(shape: keyed, record: "users")])
    #expect(try SQLiteStore(path: database.path).plan(schema).steps.first?.affectedRows == 2)
    try prepare(database, keyed, allowingLoss: true)
    #expect(try database.rows("SELECT id, name FROM users ORDER BY id") == ["1,'c'", "2,'b'"])
  }

  @Test func `rows that go with their key take their children along`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    try store.write(Shapes.articles) {
      for id in ["1", "x"] as [Value] {
        $0.row("articles", id, nil, nil, nil)
        $0.list("article_keywords", of: [id], [[id, 0, "w", 1]])
      }
    }
    var narrow = Shapes.articles
    for table in narrow.tables.indices {
      for column in narrow.tables[table].shape.columns.indices {
        let name = narrow.tables[table].shape.columns[column].name
        if name.hasSuffix("article_id") || (table == 0 && name == "id") {
          narrow.tables[table].shape.columns[column].type = .integer
        }
      }
    }
    #expect(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(narrow, allowingLoss: false)
    }
    try SQLiteStore(path: database.path).prepare(narrow, allowingLoss: true)
    #expect(try database.rows("SELECT id FROM articles") == ["1"])
    #expect(try database.rows("SELECT article_id FROM article_keywords") == ["1"])
    #expect(try database.faults() == [])
  }

  @Test func `a foreign key over columns that are there is made when each row refers to one`() throws {
    let database = try TemporaryDatabase()
    let parent = Shapes.record("p", key: ["id"], [("id", .integer)])
    let plain = Shapes.record("t", key: ["id"], [("id", .integer), ("p_id", .integer)])
    let referring = Shapes.record(
      "t", key: ["id"], [("id", .integer), ("p_id", .integer)], references: [("p_id", "p")])
    try prepare(database, parent, plain)
    try database.run("INSERT INTO p VALUES (1); INSERT INTO t VALUES (1, 1), (2, NULL), (3, 4)")
    let message = try refusal(database, parent, referring)
    #expect(message.contains("table 't' would get a foreign key from (p_id) to 'p'"))
    try prepare(database, parent, referring, allowingLoss: true)
    #expect(try database.rows("SELECT p_id FROM t ORDER BY id") == ["1", "NULL", "NULL"])
    #expect(try database.rows("SELECT \"table\" FROM pragma_foreign_key_list('t')") == ["'p'"])
  }

  @Test func `a partial index is made once, and its condition is one`() throws {
    let database = try TemporaryDatabase()
    var shape = Shapes.record("t", key: ["id"], [("id", .integer), ("a", .text)])
    shape.indexes = [.init(columns: [1], isUnique: true, condition: "a <> 'x;y'"), .init(columns: [1])]
    try prepare(database, shape)
    let before = try database.contents()
    try prepare(database, shape)
    #expect(try database.contents() == before)
    #expect(try database.rows("SELECT count(*) FROM pragma_index_list('t') WHERE origin = 'c'") == ["2"])
    shape.indexes[0].condition = "1; DROP TABLE t"
    #expect(try refusal(database, shape).contains("more than a condition"))
    shape.indexes[0].condition = "no_such_column > 1"
    #expect(try refusal(database, shape).contains("no_such_column"))
  }
}
