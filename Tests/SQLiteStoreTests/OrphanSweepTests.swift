import Records
import Store
import Testing

/// `sweep` of a relationship.
struct OrphanSweepTests {
  private let schema = Shapes.blog(sweeps: true)

  private func stored() throws -> (TemporaryDatabase, any Store) {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { document in
      document.post(1, comments: [(5, "a"), (6, "b")], tags: [10, 11])
      document.post(2, tags: [11])
    }
    return (database, store)
  }

  private func ids(_ database: TemporaryDatabase) throws -> [String] {
    try database.rows("SELECT id FROM comments UNION ALL SELECT id FROM tags ORDER BY id")
  }

  @Test func `a child that lost its last parent is deleted, one with another stays`() throws {
    let (database, store) = try stored()
    let outcome = try store.document(schema) { $0.post(1, comments: [(6, "b")], tags: []) }
    #expect(outcome == ["Post": "+0 ~0 =1", "Comment": "+0 ~0 =1"])
    #expect(try ids(database) == ["6", "11"])
    try store.document(schema) { $0.deletedPost(2) }
    #expect(try ids(database) == ["6"])
    try store.document(schema) { $0.deletedPost(1) }
    #expect(try ids(database) == [])
  }

  @Test func `a child that moved, or that the body brings elsewhere, stays`() throws {
    let (database, store) = try stored()
    try store.document(schema) { document in
      document.post(1, comments: [], tags: [])
      document.post(2, comments: [(5, "a")], tags: [10])
      document.row("comments", [6, .missing, .missing])
    }
    #expect(try ids(database) == ["5", "6", "10"])
    #expect(try database.rows("SELECT id, post_id FROM comments ORDER BY id") == ["5,2", "6,NULL"])
  }

  @Test func `a list that is not complete sweeps nothing`() throws {
    let (database, store) = try stored()
    try store.document(schema) { $0.post(1, comments: [], tags: [], isPartial: true) }
    #expect(try ids(database) == ["5", "6", "10", "11"])
  }

  /// People who link to people.
  static var people: StoreSchema {
    var friends = TableShape(
      name: "person_friends", role: .link,
      columns: [
        .init(name: "person_id", type: .integer), .init(name: "friends_id", type: .integer),
        .init(name: "position", type: .integer),
      ],
      primaryKey: [0, 1],
      foreignKeys: [
        .init(columns: [0], table: "people", referenced: ["id"], onDelete: .cascade),
        .init(columns: [1], table: "people", referenced: ["id"], onDelete: .cascade),
      ],
      parentKey: [0], position: 2)
    friends.child = 0
    friends.sweepsOrphans = true
    return StoreSchema(tables: [
      .init(
        shape: Shapes.record(
          "people", key: ["id"], [("id", .integer), ("boss_id", .integer)], references: [("boss_id", "people")]),
        record: "Person"),
      .init(shape: friends, record: nil),
    ])
  }

  @Test func `a chain of orphans goes as a whole, up to the one that something refers to`() throws {
    let schema = Self.people
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.document(schema) { document in
      for id in 1...6 as ClosedRange<Int64> {
        let person = document.row("people", [.integer(id), id == 6 ? 5 : .missing])
        if id < 5 {
          // Each is a friend of its own too, which is no parent.
          document.list(
            "person_friends", of: person, key: [.integer(id)], [[.integer(id + 1), 0], [.integer(id), 1]])
        }
      }
    }
    try store.document(schema) { document in
      let person = document.row("people", [1, .missing])
      document.list("person_friends", of: person, key: [1], [])
    }
    #expect(try database.rows("SELECT id FROM people ORDER BY id") == ["1", "5", "6"])
    #expect(try database.rows("SELECT * FROM person_friends") == [])
    #expect(try database.faults() == [])
  }
}
