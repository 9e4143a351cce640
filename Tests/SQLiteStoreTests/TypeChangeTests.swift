import Records
import SQLiteStore
import Store
import Testing

/// Columns that become wider, and those that would lose values.
struct TypeChangeTests {
  private func schema(_ type: ColumnType, takesAnyText: Bool = false) -> StoreSchema {
    var shape = Shapes.record("things", key: ["id"], [("id", .integer), ("size", type)])
    shape.columns[1].takesAnyText = takesAnyText
    return StoreSchema(tables: [.init(shape: shape, record: "Thing")])
  }

  /// A value of a type, and as the wider type has it.
  static let widenings: [(from: ColumnType, value: Value, to: ColumnType, expected: String)] = [
    (.integer, 9_223_372_036_854_775_807, .decimal, "'9223372036854775807'"), (.integer, -5, .text, "'-5'"),
    (.boolean, 1, .integer, "1"), (.boolean, 0, .text, "'false'"), (.boolean, 1, .text, "'true'"),
    (.boolean, 1, .any, "1"), (.real, 2.5, .text, "'2.5'"), (.real, 2.0, .text, "'2'"), (.real, 0.1, .text, "'0.1'"),
    (.real, 1e300, .text, "'1e300'"), (.real, .real(0.1 + 0.2), .text, "'0.30000000000000004'"),
    (.real, .real(.leastNonzeroMagnitude), .text, "'5e-324'"), (.decimal, "1.50", .text, "'1.50'"),
    (.date, "2015-07-04", .text, "'2015-07-04'"),
    (.time, "10:00:00", .text, "'10:00:00'"), (.timestamp, "2015-07-04 00:00:00", .text, "'2015-07-04 00:00:00'"),
    (.uuid, "00000000-0000-0000-0000-000000000001", .text, "'00000000-0000-0000-0000-000000000001'"),
    (.url, "http://a.test/", .text, "'http://a.test/'"), (.real, 2.0, .any, "2.0"), (.json, "[1]", .any, "'[1]'"),
    (.bytes, .bytes([0, 255]), .any, "x'00ff'"), (.decimal, "1.50", .any, "'1.50'"), (.text, " \0é", .any, "' \0é'"),
  ]

  @Test(arguments: widenings)
  func `a wider column holds what was stored, as its type has it`(
    _ from: ColumnType, _ value: Value, _ to: ColumnType, _ expected: String
  ) throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema(from))
    try store.write(schema(from)) {
      $0.row("things", 1, value)
      $0.row("things", 2, nil)
    }
    let plan = try SQLiteStore(path: database.path).plan(schema(to))
    #expect(plan.steps.first?.kind == .widenColumn)
    #expect(!plan.isLossy && plan.obstacles.isEmpty)
    try SQLiteStore(path: database.path).prepare(schema(to), allowingLoss: false)
    #expect(try database.rows("SELECT size FROM things ORDER BY id") == [expected, "NULL"])
    let before = try database.contents()
    #expect(try SQLiteStore(path: database.path).plan(schema(to)).steps.isEmpty)
    try SQLiteStore(path: database.path).prepare(schema(to), allowingLoss: false)
    #expect(try database.contents() == before)
    #expect(try database.faults() == [])
  }

  /// A stored value, and what is left of it in a type that is not wider.
  static let narrowings: [(from: ColumnType, value: Value, to: ColumnType, expected: String)] = [
    (.text, "XL", .integer, "NULL"), (.text, "5", .integer, "5"), (.text, " 5 ", .integer, "5"),
    (.real, 2.5, .integer, "NULL"), (.real, 3.0, .integer, "3"), (.integer, 2, .boolean, "NULL"),
    (.integer, 7, .real, "7.0"), (.text, "yes", .boolean, "1"), (.text, "2015-07-04", .date, "'2015-07-04'"),
    (.timestamp, "2015-07-04 10:00:00", .date, "'2015-07-04'"), (.any, "x", .json, "'\"x\"'"),
    (.bytes, .bytes([1]), .text, "NULL"), (.boolean, 1, .real, "NULL"), (.decimal, "1.50", .real, "1.5"),
  ]

  @Test(arguments: narrowings)
  func `any other change is refused, and done where loss is allowed`(
    _ from: ColumnType, _ value: Value, _ to: ColumnType, _ expected: String
  ) throws {
    let database = try TemporaryDatabase()
    try database.store(schema(from)).write(schema(from)) {
      $0.row("things", 1, value)
      $0.row("things", 2, nil)
    }
    let before = try database.contents()
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(schema(to), allowingLoss: false)
    }
    #expect(error.code == .refused)
    for part in ["'size'", "'things'", "is \(from.rawValue)", "become \(to.rawValue)", "--allow-loss"] {
      #expect(error.message.contains(part))
    }
    let plan = try SQLiteStore(path: database.path).plan(schema(to))
    #expect(plan.steps.first?.kind == .changeColumn && plan.isLossy)
    #expect(plan.steps.first?.affectedRows == (expected == "NULL" ? 1 : 0))
    #expect(try database.contents() == before)
    try SQLiteStore(path: database.path).prepare(schema(to), allowingLoss: true)
    #expect(try database.rows("SELECT size FROM things ORDER BY id") == [expected, "NULL"])
    #expect(try SQLiteStore(path: database.path).plan(schema(to)).steps.isEmpty)
  }

  @Test func `a column that keeps texts is wider than its type, and narrower than text`() throws {
    let database = try TemporaryDatabase()
    try database.store(schema(.integer)).write(schema(.integer)) { $0.row("things", 1, 5) }
    let kept = schema(.integer, takesAnyText: true)
    try database.store(kept).write(kept) { $0.row("things", 2, "x") }
    #expect(try database.rows("SELECT size FROM things ORDER BY id") == ["5", "'x'"])
    try SQLiteStore(path: database.path).prepare(schema(.text), allowingLoss: false)
    #expect(try database.rows("SELECT size FROM things ORDER BY id") == ["'5'", "'x'"])
  }

  @Test func `a column of a user's own table may be widened too`() throws {
    let database = try TemporaryDatabase()
    try database.run("CREATE TABLE things (id INT PRIMARY KEY, size INT) STRICT; INSERT INTO things VALUES (1, 2)")
    try SQLiteStore(path: database.path).prepare(schema(.text), allowingLoss: false)
    #expect(try database.rows("SELECT * FROM things") == ["1,'2'"])
  }

  @Test func `keys and what refers to them become wider together`() throws {
    let database = try TemporaryDatabase()
    let schema = Shapes.articles
    let store = try database.store(schema)
    try store.write(schema) {
      $0.row("articles", "a", 1, 2, 7)
      $0.row("authors", 7, "Ann")
    }
    var wide = schema
    wide.tables[0].shape.columns[3].type = .text
    wide.tables[1].shape.columns[0].type = .text
    try SQLiteStore(path: database.path).prepare(wide, allowingLoss: false)
    #expect(try database.rows("SELECT * FROM articles") == ["'a',1,2,'7'"])
    #expect(try database.rows("SELECT * FROM authors") == ["'7','Ann'"])
    #expect(try database.faults() == [])
    try database.run("PRAGMA foreign_keys = ON; DELETE FROM authors")
    #expect(try database.rows("SELECT author_id FROM articles") == ["NULL"])
  }
}
