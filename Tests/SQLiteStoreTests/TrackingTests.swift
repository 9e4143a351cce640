import Records
import Store
import Testing

/// `track: true`: the run that last changed a row.
struct TrackingTests {
  private var schema: StoreSchema {
    var schema = Shapes.blog()
    for table in [0, 1, 2] {
      let column = ColumnShape(name: "_run_id", type: .integer)
      schema.tables[table].shape.columns.append(column)
      schema.tables[table].shape.tracking = [schema.tables[table].shape.columns.count - 1]
    }
    return schema
  }

  @Test func `tracking is written with a change, and is none itself`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    func put(_ run: Int64, _ titles: [Value], _ words: [Value]) throws -> [String: String] {
      try store.document(schema) { document in
        for title in titles {
          let post = document.row("posts", [1, title, nil, .integer(run)])
          document.list(
            "post_keywords", of: post, key: [1],
            words.enumerated().map { [.integer(Int64($0)), $1, .integer(run)] })
        }
      }
    }
    #expect(try put(1, ["a"], ["x", "y"]) == ["Post": "+1 ~0 =0", "Keyword": "+2 ~0 =0"])
    #expect(try put(2, ["a"], ["x", "y"]) == ["Post": "+0 ~0 =1", "Keyword": "+0 ~0 =2"])
    #expect(try put(3, ["b", "a"], ["x", "z"]) == ["Post": "+0 ~0 =2", "Keyword": "+0 ~1 =3"])
    #expect(try database.rows("SELECT title, _run_id FROM posts") == ["'a',1"])
    #expect(try database.rows("SELECT word, _run_id FROM post_keywords ORDER BY 1") == ["'x',1", "'z',3"])
    #expect(try put(4, ["b"], []) == ["Post": "+0 ~1 =0"])
    #expect(try database.rows("SELECT title, _run_id FROM posts") == ["'b',4"])
  }

  @Test func `a child that moved was changed by the run that moved it`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for (run, post) in [(1, 1), (2, 1), (3, 2), (4, 2)] as [(Int64, Int64)] {
      try store.document(schema) { document in
        let row = document.row("posts", [.integer(post), "t", nil, .integer(run)])
        document.row("comments", [5, "c", .missing, .integer(run)], in: row)
        document.list("post_comments", of: row, key: [.integer(post)], [[5]])
      }
    }
    #expect(try database.rows("SELECT * FROM comments") == ["5,'c',2,3"])
  }
}
