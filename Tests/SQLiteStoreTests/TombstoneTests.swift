import Records
import Store
import Testing

/// `delete_when`: rows that are to go.
struct TombstoneTests {
  private let schema = Shapes.blog()

  private func stored() throws -> (TemporaryDatabase, any Store) {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { document in
      document.post(1, keywords: ["a", "b"], comments: [(5, "c")], tags: [10])
      document.post(2, keywords: ["z"], tags: [10])
    }
    return (database, store)
  }

  @Test(arguments: [false, true]) func `the row goes with what hangs on it, other children stay`(_ isAlone: Bool) throws
  {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { document in
      document.deletedPost(1)
      if !isAlone { document.deletedPost(9) }
    }
    #expect(outcome == ["Post": isAlone ? "+0 ~0 =0 -1" : "+0 ~0 =1 -1"])
    #expect(try database.rows("SELECT id FROM posts") == ["2"])
    #expect(try database.rows("SELECT word FROM post_keywords") == ["'z'"])
    #expect(try database.rows("SELECT post_id FROM post_tags") == ["2"])
    #expect(try database.rows("SELECT id, post_id FROM comments") == ["5,NULL"])
    #expect(try database.rows("SELECT id FROM tags") == ["10"])
  }

  /// What one body says of post 1, which is stored or not, and what becomes of it.
  static let sequences: [(steps: String, stored: Bool, counts: String, title: String?)] = [
    ("d", true, "+0 ~0 =0 -1", nil), ("d", false, "+0 ~0 =1", nil), ("dd", true, "+0 ~0 =1 -1", nil),
    ("td", true, "+0 ~0 =1 -1", nil), ("xd", true, "+0 ~0 =1 -1", nil), ("xd", false, "+0 ~0 =2", nil),
    ("dt", true, "+0 ~0 =2", "'t'"), ("dx", true, "+0 ~1 =1", "'x'"), ("dx", false, "+1 ~0 =1", "'x'"),
    ("xdt", true, "+0 ~0 =3", "'t'"), ("dxd", true, "+0 ~0 =2 -1", nil), ("dxdx", false, "+1 ~0 =3", "'x'"),
  ]

  @Test(arguments: sequences) func `occurrences and tombstones of one body are counted against what was stored`(
    _ example: (steps: String, stored: Bool, counts: String, title: String?)
  ) throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { document in
      document.post(7, title: "other")
      if example.stored { document.post(1, title: "t", keywords: ["k"]) }
    }
    for reading in 1...2 {
      let outcome = try store.document(schema) { document in
        for step in example.steps {
          if step == "d" { document.deletedPost(1) } else { document.post(1, title: .text("\(step)"), keywords: ["k"]) }
        }
      }
      if reading == 1 { #expect(outcome["Post"] == example.counts) }
      if reading == 2 { #expect(outcome["Post"]?.hasPrefix("+0 ~0 =") == true) }
      if reading == 2 && example.title != nil { #expect(outcome["Keyword"]?.hasPrefix("+0 ~0 =") == true) }
      #expect(try database.rows("SELECT title FROM posts WHERE id = 1") == (example.title.map { [$0] } ?? []))
      #expect(try database.rows("SELECT word FROM post_keywords") == (example.title == nil ? [] : ["'k'"]))
    }
    #expect(try database.faults() == [])
  }

  @Test func `a link to a row that the same body buries is not made`() throws {
    let (database, store) = try stored()
    try store.document(schema) { document in
      document.post(1, tags: [11])
      document.row("tags", [11, nil], isTombstone: true)
      document.post(3, comments: [(5, "c")], tags: [10])
      document.deletedPost(3)
    }
    #expect(try database.rows("SELECT post_id, tag_id FROM post_tags") == ["2,10"])
    #expect(try database.rows("SELECT id, post_id FROM comments") == ["5,1"])
    #expect(try database.faults() == [])
  }
}
