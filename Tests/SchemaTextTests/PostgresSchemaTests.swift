import Diagnostics
import Records
import SchemaText
import Testing

struct PostgresSchemaTests {
  private func table(_ name: String, _ columns: [String], indexes: [[Int]] = []) -> TableShape {
    var shape = TableShape(
      name: name, role: .record, columns: columns.map { ColumnShape(name: $0, type: .integer) }, primaryKey: [0])
    shape.indexes = indexes.map { IndexShape(columns: $0) }
    return shape
  }

  /// What stands in quotes behind the words.
  private func names(behind words: String, in schema: PostgresSchema) -> [String] {
    schema.statements.compactMap { statement in
      guard let place = statement.firstRange(of: words) else { return nil }
      return String(statement[place.upperBound...].dropFirst().prefix { $0 != "\"" })
    }
  }

  @Test func `names that begin alike stay apart within 63 bytes`() {
    let columns = ["id", String(repeating: "é", count: 30) + "a", String(repeating: "é", count: 30) + "b"]
    let schema = PostgresSchema([table("items", columns, indexes: [[1], [2], [1, 2]])])
    let found = names(behind: "CREATE INDEX ", in: schema)
    #expect(Set(found).count == 3)
    #expect(found.allSatisfy { $0.utf8.count <= 63 && $0.utf8.count > 59 && !$0.contains("\u{FFFD}") })
    #expect(found.allSatisfy { $0.hasPrefix("items_éé") })
  }

  @Test func `a made-up name is not one of a table's`() {
    let tables = [table("a", ["id", "b"], indexes: [[1]]), table("a_b_idx", ["id"]), table("a_pkey", ["id"])]
    let schema = PostgresSchema(tables)
    #expect(names(behind: "CREATE INDEX ", in: schema) == ["a_b_idx_2"])
    #expect(names(behind: "CONSTRAINT ", in: schema) == ["a_pkey_2", "a_b_idx_pkey", "a_pkey_pkey"])
  }

  @Test(arguments: [(63, 0), (64, 1)])
  func `a name of the mapping is kept whole or refused`(_ length: Int, _ obstacles: Int) {
    let schema = PostgresSchema([table("t", ["id", String(repeating: "n", count: length)])])
    #expect(schema.obstacles.count == obstacles)
    #expect(schema.statements.isEmpty == (obstacles > 0))
  }

  @Test func `what could upset a terminal is in no schema`() {
    var shape = table("t", ["id", "a\u{1B}[2Jb"])
    shape.description = "it's\u{1B}[31m \\ \u{202E}red\u{2066}\u{9B}"
    shape.columns[0].description = "plain, it's \\"
    shape.columns[1].description = shape.description
    let comment = PostgresSchema([shape]).statements.filter { $0.hasPrefix("COMMENT ON TABLE") }
    #expect(comment == [#"COMMENT ON TABLE "t" IS E'it''s\u001B[31m \\ \u202Ered\u2066\u009B'"#])
    #expect(PostgresSchema([shape]).statements.contains(#"COMMENT ON COLUMN "t"."id" IS 'plain, it''s \'"#))
    #expect(SchemaComments.lines(on: shape)[0] == #"-- t: it's\u{1B}[31m \ \u{202E}red\u{2066}\u{9B}"#)
    for text in [SchemaComments.lines(on: shape).joined(), DotSchema.text([shape]), MermaidSchema.text([shape])] {
      #expect(!text.unicodeScalars.contains { $0 != "\n" && VisibleText.isInvisible($0) })
    }
  }

  @Test func `what PostgreSQL has no room for is refused`() {
    let wide = table("wide", (0...1600).map { "c\($0)" })
    let key = table("key", (0..<40).map { "c\($0)" }, indexes: [Array(0..<33)])
    let system = table("system", ["id", "ctid", "CTID"])
    #expect(PostgresSchema([wide]).obstacles.count == 1)
    #expect(PostgresSchema([key]).obstacles.count == 1)
    #expect(PostgresSchema([system]).obstacles.count == 1)
  }
}
