import Store
import Testing

/// Rows of records with a key of their own.
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
}
