import Records
import Store
import Testing

/// Rows of records, with a key of their own and without.
struct RecordRowsTests {
  let schema = Shapes.articles

  @Test func `a row is inserted, then unchanged, then updated`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    func put(_ title: Value) throws -> String? {
      try store.write(schema) { $0.row("articles", "a", title, 1, nil) }["Article"]
    }
    #expect(try put("x") == "+1 ~0 =0")
    #expect(try put("x") == "+0 ~0 =1")
    #expect(try put("y") == "+0 ~1 =0")
    #expect(try put(.missing) == "+0 ~0 =1")
    #expect(try put(.ifNew("z")) == "+0 ~0 =1")
    #expect(try database.rows("SELECT * FROM articles") == ["'a','y',1,NULL"])
    #expect(try put(nil) == "+0 ~1 =0")
    #expect(try put(nil) == "+0 ~0 =1")
    #expect(try database.rows("SELECT * FROM articles") == ["'a',NULL,1,NULL"])
  }

  @Test func `what is missing is null in a new row, and a default is stored in it`() throws {
    let database = try TemporaryDatabase()
    try database.store(schema).write(schema) { $0.row("articles", "a", .missing, .ifNew(7), .ifEqual(3)) }
    #expect(try database.rows("SELECT * FROM articles") == ["'a',NULL,7,NULL"])
  }

  /// Values that are equal for SQL, or look so, and are not the same.
  static let unlike: [(Value, Value)] = [
    (1, 1.0), (1, "1"), (1.0, "1.0"), (0.0, .real(-0.0)), ("", nil), ("", .bytes([])), ("a", .bytes([97])),
    (.bytes([]), nil), ("e\u{301}", "\u{e9}"), ("a\0b", "a\0c"), ("a", "a\0"), ("a", "a "),
    (9_007_199_254_740_993, 9_007_199_254_740_992.0),
    (.integer(.max), .real(9_223_372_036_854_775_808)), ("A", "a"), (0, nil), ("\r\n", "\n"),
  ]

  @Test(arguments: unlike) func `values of another kind or other bytes are another value`(_ a: Value, _ b: Value) throws
  {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for (value, outcome) in [(a, "+1 ~0 =0"), (a, "+0 ~0 =1"), (b, "+0 ~1 =0"), (b, "+0 ~0 =1"), (a, "+0 ~1 =0")] {
      #expect(try store.write(schema) { $0.row("articles", "k", value, 1, nil) }["Article"] == outcome)
    }
  }

  @Test func `text with a zero byte, and empty text and bytes, come back as they were`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let values: [Value] = ["a\0b", "", .bytes([]), .bytes([0, 1, 255]), .integer(.min), "\u{1F600}\0"]
    for (number, value) in values.enumerated() {
      try store.write(schema) { $0.row("articles", .text("k\0\(number)"), value, nil, nil) }
    }
    #expect(
      try database.rows("SELECT typeof(title), hex(title), hex(id) FROM articles ORDER BY id") == [
        "'text','610062','6B0030'", "'text','','6B0031'", "'blob','','6B0032'", "'blob','0001FF','6B0033'",
        "'integer','2D39323233333732303336383534373735383038','6B0034'", "'text','F09F988000','6B0035'",
      ])
    #expect(try store.write(schema) { $0.row("articles", "k\u{0}0", "a\0b", nil, nil) }["Article"] == "+0 ~0 =1")
  }

  @Test func `a number in a REAL column is compared as a double`() throws {
    let shape = Shapes.record("t", key: ["id"], [("id", .integer), ("x", .real)])
    let schema = StoreSchema(tables: [.init(shape: shape, record: "T")])
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for (value, outcome) in [
      (1, "+1 ~0 =0"), (1.0, "+0 ~0 =1"), (1.5, "+0 ~1 =0"), (.real(-0.0), "+0 ~1 =0"), (0, "+0 ~0 =1"),
    ]
      as [(Value, String)]
    {
      #expect(try store.write(schema) { $0.row("t", 1, value) }["T"] == outcome)
    }
  }

  /// Titles that one body gives to one article, what was stored before, and what becomes of them.
  static let repeated: [(stored: Value?, body: [Value], outcome: String, title: String)] = [
    (nil, ["x"], "+1 ~0 =0", "'x'"), (nil, ["x", "y"], "+1 ~0 =1", "'y'"),
    (nil, ["x", .missing, "x"], "+1 ~0 =2", "'x'"),
    ("x", ["y", "x"], "+0 ~0 =2", "'x'"), ("x", ["y", "z"], "+0 ~1 =1", "'z'"),
    ("x", ["x", "y", "y"], "+0 ~1 =2", "'y'"),
    ("x", ["y", .missing], "+0 ~1 =1", "'y'"), ("x", ["y", nil, "x", "y", "x"], "+0 ~0 =5", "'x'"),
    ("x", [.missing, .ifNew("y")], "+0 ~0 =2", "'x'"), (1, [1.0, 1], "+0 ~0 =2", "1"),
    (1, [1, 1.0], "+0 ~1 =1", "1.0"),
  ]

  @Test(arguments: repeated, [false, true])
  func `the same key twice in a body is one row, compared with what was stored before`(
    _ example: (stored: Value?, body: [Value], outcome: String, title: String), _ spansBatches: Bool
  ) throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    // Rows around it, so that numbers of rows say nothing.
    try store.write(schema) { builder in
      builder.row("articles", "0", nil, nil, nil)
      if let stored = example.stored { builder.row("articles", "a", stored, nil, nil) }
      builder.row("articles", "z", nil, nil, nil)
    }
    var outcome: String?
    if spansBatches {
      outcome = try store.writeBody(schema, example.body.map { title in { $0.row("articles", "a", title, nil, nil) } })[
        "Article"]
    } else {
      outcome = try store.write(schema) { for title in example.body { $0.row("articles", "a", title, nil, nil) } }[
        "Article"]
    }
    #expect(outcome == example.outcome)
    #expect(try database.rows("SELECT title FROM articles WHERE id = 'a'") == [example.title])
  }

  @Test func `keys that are row numbers are told apart too`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.write(schema) { $0.row("authors", 100, "stored") }
    let outcome = try store.write(schema) { builder in
      builder.row("authors", 5, "new below")
      builder.row("authors", 500, "new above")
      builder.row("authors", 5, "changed")
      builder.row("authors", 500, "changed")
      builder.row("authors", 100, "changed")
      builder.row("authors", 100, "changed again")
    }
    #expect(outcome["Author"] == "+2 ~1 =3")
  }

  @Test func `each body is compared with what the one before it left`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let outcome = try store.write(schema) { builder in
      for title in ["x", "y", "y", "x"] as [Value] {
        builder.body("lines.jsonl", line: 1)
        builder.row("articles", "a", title, nil, nil)
      }
      builder.body("more.json")
      builder.row("articles", "a", "z", nil, nil)
      builder.row("articles", "a", "x", nil, nil)
    }
    #expect(outcome["Article"] == "+1 ~2 =3")
  }

  @Test func `rows without a key are always new`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for _ in 1...2 {
      let outcome = try store.write(schema) { builder in
        builder.row("events", "x")
        builder.row("events", .missing)
      }
      #expect(outcome["Event"] == "+2 ~0 =0")
    }
    #expect(try database.rows("SELECT * FROM events") == ["1,'x'", "2,NULL", "3,'x'", "4,NULL"])
  }

  @Test func `the key of a rejected child stays where it is stored already, as a whole`() throws {
    var shape = Shapes.record("t", key: ["id"], [("id", .integer), ("a", .integer), ("b", .integer), ("c", .integer)])
    let parent = Shapes.record("p", key: ["a", "b"], [("a", .integer), ("b", .integer)])
    shape.foreignKeys = [.init(columns: [1, 2], table: "p", referenced: ["a", "b"], onDelete: .setNull)]
    let schema = StoreSchema(tables: [.init(shape: shape, record: "T"), .init(shape: parent, record: "P")])
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.write(schema) { builder in
      builder.row("p", 1, 2)
      builder.row("t", 1, 1, 2, nil)
      builder.row("t", 2, 1, 2, nil)
    }
    let outcome = try store.write(schema) { builder in
      builder.row("t", 1, .ifEqual(1), .ifEqual(2), .ifEqual(1))
      builder.row("t", 2, .ifEqual(1), .ifEqual(3), .missing)
    }
    #expect(outcome["T"] == "+0 ~1 =1")
    #expect(try database.rows("SELECT * FROM t") == ["1,1,2,NULL", "2,NULL,NULL,NULL"])
  }

  @Test func `a table of more columns than a machine word has bits is updated right`() throws {
    let columns = (0..<150).map { ("c\($0)", ColumnType.any) }
    let shape = Shapes.record("wide", key: ["c0"], columns)
    let schema = StoreSchema(tables: [.init(shape: shape, record: "Wide")])
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    func put(_ change: (inout [Value]) -> Void) throws -> String? {
      var values = (0..<150).map { Value.integer(Int64($0)) }
      change(&values)
      return try store.write(schema) { $0.row("wide", values: values) }["Wide"]
    }
    #expect(try put { _ in } == "+1 ~0 =0")
    #expect(
      try put {
        $0[100] = "x"; $0[7] = .missing; $0[149] = nil
      } == "+0 ~1 =0")
    #expect(
      try put {
        $0[100] = "x"; $0[149] = nil
      } == "+0 ~0 =1")
    #expect(try database.rows("SELECT c0, c7, c99, c100, c149 FROM wide") == ["0,7,99,'x',NULL"])
  }

  @Test func `any number of new rows in a body is told from stored ones`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let count = 70_000
    try store.write(schema) { $0.row("authors", 1_000_000, "last") }
    // Below the stored one: their numbers have to be remembered, more than fit in memory.
    let first: (BatchBuilder) -> Void = { for id in 0..<count { $0.row("authors", .integer(Int64(id)), "x") } }
    let second: (BatchBuilder) -> Void = { for id in 0..<count { $0.row("authors", .integer(Int64(id)), "y") } }
    let outcome = try store.writeBody(schema, [first, second, { $0.row("authors", 1_000_000, "changed") }])
    #expect(outcome["Author"] == "+\(count) ~1 =\(count)")
    #expect(try store.writeBody(schema, [first, second])["Author"] == "+0 ~0 =\(2 * count)")
  }
}
