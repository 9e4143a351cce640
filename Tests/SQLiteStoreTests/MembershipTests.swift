import Records
import Store
import Testing

/// `via: child`: children that hold their parent's key.
struct MembershipTests {
  private let schema = Shapes.blog()

  private func stored() throws -> (TemporaryDatabase, any Store) {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { document in
      document.post(1, comments: [(5, "a"), (6, "b")])
      document.post(2, comments: [(7, "c")])
    }
    return (database, store)
  }

  private func comments(_ database: TemporaryDatabase) throws -> [String] {
    try database.rows("SELECT * FROM comments ORDER BY id")
  }

  @Test func `children get their parent's key, and a second reading changes nothing`() throws {
    let (database, store) = try stored()
    #expect(try comments(database) == ["5,'a',1", "6,'b',1", "7,'c',2"])
    let again = try store.document(schema) { $0.post(1, comments: [(5, "a"), (6, "b")]) }
    #expect(again == ["Post": "+0 ~0 =1", "Comment": "+0 ~0 =2"])
  }

  @Test func `a child that appears under another parent has moved, and counts as updated`() throws {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { $0.post(2, comments: [(6, "b"), (7, "c")]) }
    #expect(outcome["Comment"] == "+0 ~1 =1")
    #expect(try comments(database) == ["5,'a',1", "6,'b',2", "7,'c',2"])
  }

  @Test func `children that left the list lose their parent, and are not counted`() throws {
    let (database, store) = try stored()
    #expect(try store.document(schema) { $0.post(1, comments: [(5, "a")]) }["Comment"] == "+0 ~0 =1")
    #expect(try comments(database) == ["5,'a',1", "6,'b',NULL", "7,'c',2"])
    #expect(try store.document(schema) { $0.post(1, comments: []) } == ["Post": "+0 ~0 =1"])
    #expect(try comments(database) == ["5,'a',NULL", "6,'b',NULL", "7,'c',2"])
  }

  @Test func `a child that loses its parent in the body that brings it counts as updated, once`() throws {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { document in
      document.row("comments", [6, "b", .missing])
      document.post(1, comments: [(5, "a")])
    }
    #expect(outcome["Comment"] == "+0 ~1 =1")
    #expect(try comments(database) == ["5,'a',1", "6,'b',NULL", "7,'c',2"])
  }

  @Test func `what changes and changes back within a body is unchanged`() throws {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { document in
      document.post(2, comments: [(5, "a"), (6, "b")])
      document.post(1, comments: [(5, "a"), (6, "b")])
      document.post(2, comments: [(7, "c")])
    }
    #expect(outcome["Comment"] == "+0 ~0 =5")
    #expect(try comments(database) == ["5,'a',1", "6,'b',1", "7,'c',2"])
  }

  @Test func `a list that is not complete only adds`() throws {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { $0.post(1, comments: [(8, "new")], isPartial: true) }
    #expect(outcome["Comment"] == "+1 ~0 =0")
    try store.document(schema) { $0.post(1, comments: [], isPartial: true) }
    #expect(try comments(database) == ["5,'a',1", "6,'b',1", "7,'c',2", "8,'new',1"])
  }

  @Test func `a rejected element's stored child keeps its parent`() throws {
    let (database, store) = try stored()
    try store.document(schema) { document in
      let post = document.row("posts", [1, "t", nil])
      document.list("post_comments", of: post, key: [1], [[5], [7], [nil]], shields: [0, 1, 2])
    }
    #expect(try comments(database) == ["5,'a',1", "6,'b',NULL", "7,'c',2"])
  }

  @Test func `the same without the order of the document`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let outcome = try store.write(schema) { builder in
      builder.row("posts", 1, "t", nil)
      builder.list("post_comments", of: [1], [[1, 5]])
      builder.row("comments", 5, "a", .missing)
    }
    #expect(outcome["Comment"] == "+1 ~0 =0")
    #expect(try comments(database) == ["5,'a',1"])
    #expect(try database.faults() == [])
  }

  @Test func `rows of 'write insert' that are there already get no other parent`() throws {
    let schema = Shapes.blog(commentsWrite: .insert)
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { $0.post(1, comments: [(5, "a")]) }
    let outcome = try store.document(schema) { $0.post(2, comments: [(5, "x"), (6, "b")]) }
    #expect(outcome["Comment"] == "+1 ~0 =0 s1")
    #expect(try comments(database) == ["5,'a',1", "6,'b',2"])
    try store.document(schema) { $0.post(1, comments: []) }
    #expect(try comments(database) == ["5,'a',1", "6,'b',2"])
  }
}
