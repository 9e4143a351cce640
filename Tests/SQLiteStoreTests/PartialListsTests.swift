import Records
import Store
import Testing

/// Lists that are only added to: `policy: union`, and a `complete` that does not hold.
struct PartialListsTests {
  private let schema = Shapes.blog()

  @Test func `new links come after the largest position, and those that are there keep theirs`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, tags: [10, 11]) }
    for _ in 1...2 {
      try store.document(schema) { $0.post(1, tags: [12, 11, 13, 12], isPartial: true) }
      #expect(
        try database.rows("SELECT tag_id, position FROM post_tags ORDER BY 2") == ["10,0", "11,1", "12,2", "13,3"])
    }
    try store.document(schema) { $0.post(1, tags: [], isPartial: true) }
    #expect(try database.rows("SELECT count(*) FROM post_tags") == ["4"])
    try store.document(schema) { $0.post(2, tags: [13], isPartial: true) }
    #expect(try database.rows("SELECT tag_id, position FROM post_tags WHERE post_id = 2") == ["13,0"])
  }

  @Test func `a link that the same body took away is a new one`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, tags: [10, 11]) }
    try store.document(schema) { document in
      document.post(1, tags: [11])
      document.post(1, tags: [10], isPartial: true)
    }
    #expect(try database.rows("SELECT tag_id, position FROM post_tags ORDER BY 2") == ["11,0", "10,1"])
  }

  @Test func `children without a key are matched by position, and none goes`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, keywords: ["a", "b", "c"]) }
    let outcome = try store.document(schema) { $0.post(1, keywords: ["a", "x"], isPartial: true) }
    #expect(outcome["Keyword"] == "+0 ~1 =1")
    try store.document(schema) { $0.post(1, keywords: [], isPartial: true) }
    #expect(try database.rows("SELECT word FROM post_keywords ORDER BY position") == ["'a'", "'x'", "'c'"])
  }
}
