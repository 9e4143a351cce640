import Records
import SQLiteStore
import Store
import Testing

/// Rows that come again as they were, and what has happened to them meanwhile.
struct MetRowsTests {
  let schema = Shapes.articles

  @Test func `a row that comes again and again is unchanged`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let outcome = try store.write(schema) { builder in
      for number in 0..<50 {
        builder.row("authors", 1, "n")
        builder.row("articles", .text("a\(number)"), "t", nil, 1)
      }
    }
    #expect(outcome == ["Article": "+50 ~0 =0", "Author": "+1 ~0 =49"])
  }

  @Test func `the latest state of a key counts`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let outcome = try store.write(schema) { builder in
      for name in ["x", "y", "x", "x", "y"] as [Value] {
        builder.row("authors", 1, name)
        builder.body()
      }
    }
    #expect(outcome == ["Author": "+1 ~3 =1"])
    #expect(try database.rows("SELECT name FROM authors") == ["'y'"])
  }

  @Test func `what others have written since is seen`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for (statement, outcome) in [
      ("SELECT 1", "+1 ~0 =0"), ("SELECT 1", "+0 ~0 =1"), ("UPDATE authors SET name = 'z'", "+0 ~1 =0"),
      ("DELETE FROM authors", "+1 ~0 =0"),
    ] {
      try database.run(statement)
      #expect(try store.write(schema) { $0.row("authors", 1, "n") }["Author"] == outcome)
      #expect(try database.rows("SELECT * FROM authors") == ["1,'n'"])
    }
  }

  @Test func `what a rollback undoes is not met`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.begin()
    let builder = BatchBuilder(schema)
    builder.row("authors", 1, "n")
    try store.write(builder.batch, endsBody: true)
    try store.rollback()
    #expect(try store.write(schema) { $0.row("authors", 1, "n") }["Author"] == "+1 ~0 =0")
    #expect(try database.rows("SELECT * FROM authors") == ["1,'n'"])
  }

  /// The article's reference went with the author; said again, it is there again.
  @Test func `a reference that a deletion has cleared is written again`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    func article(_ builder: BatchBuilder) {
      builder.row("articles", "a", "t", nil, 1)
      builder.row("authors", 1, "n")
    }
    try store.write(schema) { builder in
      article(builder)
      builder.body()
      builder.tombstone("authors", key: [1])
      builder.body()
      article(builder)
    }
    #expect(try database.rows("SELECT author_id FROM articles") == ["1"])
    #expect(try database.faults() == [])
  }

  @Test func `long rows, and rows that differ in a kind or a rule alone, are told apart`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let long = String(repeating: "x", count: 300)
    let values: [Value] = [1, 1.0, "1", .bytes([0x31]), nil, .ifNew(7), .missing, .text(long), .text(long + "y"), ""]
    for (value, next) in zip(values, values.dropFirst()) {
      try store.write(schema) { builder in
        for value in [value, value, next] {
          builder.row("articles", "a", value, nil, nil)
          builder.body()
        }
      }
      let other = try TemporaryDatabase()
      let alone = try other.store(schema)
      for value in values.prefix(through: values.firstIndex(of: next) ?? 0) {
        try alone.write(schema) { $0.row("articles", "a", value, nil, nil) }
      }
      let query = "SELECT typeof(title), hex(title) FROM articles"
      #expect(try database.rows(query) == other.rows(query), "\(value), then \(next)")
    }
  }
}
