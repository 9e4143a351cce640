import Records
import Store
import Testing

/// `write: insert` and `modified`: stored rows that stay as they are.
struct StayingRowsTests {
  @Test func `'write insert' skips rows that are there, with their children`() throws {
    let schema = Shapes.blog(write: .insert)
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, title: "old", keywords: ["a"]) }
    for reading in 1...2 {
      let outcome = try store.document(schema) { document in
        document.post(1, title: "new", keywords: ["x", "y"], comments: [(5, "c")], tags: [10])
        document.post(2, title: "two", keywords: ["b"])
        document.post(2, title: "again")
      }
      let isFirst = reading == 1
      #expect(
        outcome == [
          "Post": isFirst ? "+1 ~0 =1 s1" : "+0 ~0 =0 s3", "Keyword": isFirst ? "+1 ~0 =0 s2" : "+0 ~0 =0 s3",
          "Comment": "+0 ~0 =0 s1", "Tag": "+0 ~0 =0 s1",
        ])
    }
    #expect(try database.rows("SELECT title FROM posts ORDER BY id") == ["'old'", "'again'"])
    #expect(try database.rows("SELECT word FROM post_keywords ORDER BY 1") == ["'a'", "'b'"])
    #expect(try database.rows("SELECT * FROM comments UNION ALL SELECT *, 0 FROM tags") == [])
  }

  @Test func `'modified' skips rows that are not newer, also among those of one body`() throws {
    let schema = Shapes.blog(modified: true)
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, title: "old", version: 2, keywords: ["a"]) }
    #expect(
      try store.document(schema) { $0.post(1, title: "new", version: 2, keywords: []) } == ["Post": "+0 ~0 =0 s1"])
    let outcome = try store.document(schema) { document in
      document.post(1, title: "first", version: 1, keywords: ["x"])
      document.post(1, title: "third", version: 3, keywords: ["y"])
      document.post(1, title: "second", version: 2, keywords: ["z"])
      document.post(1, title: "unknown", keywords: ["y", "w"])
    }
    #expect(outcome == ["Post": "+0 ~1 =1 s2", "Keyword": "+1 ~1 =1 s2"])
    #expect(try database.rows("SELECT * FROM posts") == ["1,'unknown',3"])
    #expect(try database.rows("SELECT word FROM post_keywords ORDER BY position") == ["'y'", "'w'"])
  }

  /// A type, what is stored, what comes, and whether that is skipped.
  static let marks: [(type: ColumnType, stored: Value, incoming: Value, isSkipped: Bool)] = [
    (.integer, 9, 10, false), (.integer, 10, 9, true), (.integer, 9, 9, true), (.integer, -1, -2, true),
    (.real, 1.5, 1.25, true), (.real, 1.5, 2, false), (.real, 2, 2.0, true),
    (.any, 9_007_199_254_740_993, 9_007_199_254_740_992.0, true),
    (.any, 9_007_199_254_740_992.0, 9_007_199_254_740_993, false), (.any, 1, 0.5, true), (.any, 0.5, 1, false),
    (.any, -1.5, -1, false), (.any, -1, -1.5, true), (.any, .integer(.max), .real(0x1p63), false),
    (.any, .real(0x1p63), .integer(.max), true), (.any, .integer(.min), .real(-0x1p63), true),
    (.any, 1, "1", false), (.any, "b", "a", false), (.any, "a", "a", true),
    (.decimal, "10.5", "9.5", true), (.decimal, "9.5", "10.5", false), (.decimal, "-2", "-1", false),
    (.decimal, "-1", "-2", true), (.decimal, "1.50", "1.5", true), (.decimal, "1.5", "1.49", true),
    (.decimal, "1.5", "1.51", false), (.decimal, "-1", "1", false), (.decimal, "1", "-1", true),
    (.decimal, "0.00", "0", true), (.decimal, "0", "0.01", false),
    (.timestamp, "2015-07-04 10:00:00", "2015-07-04 10:00:00.5", false),
    (.timestamp, "2015-07-04 10:00:00", "2015-07-04 09:59:59", true), (.date, "2015-07-04", "2015-07-05", false),
    (.date, "2015-07-05", "2015-07-04", true), (.text, "zz", "aa", false), (.text, "zz", "zz", true),
    (.uuid, "b", "a", false), (.integer, nil, 1, false), (.integer, 1, nil, false), (.integer, 1, .missing, false),
    (.integer, 1, .ifNew(1), false), (.bytes, .bytes([1]), .bytes([1]), true),
    (.bytes, .bytes([2]), .bytes([1]), false),
  ]

  @Test(arguments: marks) func `marks are compared as their type is`(
    _ mark: (type: ColumnType, stored: Value, incoming: Value, isSkipped: Bool)
  ) throws {
    var shape = Shapes.record("t", key: ["id"], [("id", .integer), ("mark", mark.type), ("x", .text)])
    shape.modified = 1
    let schema = StoreSchema(tables: [.init(shape: shape, record: "T")])
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.row("t", [1, mark.stored, "old"]) }
    let outcome = try store.document(schema) { $0.row("t", [1, mark.incoming, "new"]) }
    #expect(outcome["T"] == (mark.isSkipped ? "+0 ~0 =0 s1" : "+0 ~1 =0"))
    #expect(try database.rows("SELECT x FROM t") == [mark.isSkipped ? "'old'" : "'new'"])
  }
}
