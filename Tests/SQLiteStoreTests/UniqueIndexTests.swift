import Records
import SQLiteStore
import Store
import Testing

/// Rows that would break a unique index of the mapping.
struct UniqueIndexTests {
  /// Articles with a unique title, their numbered keywords with unique words and notes, an author and tags with unique
  /// names.
  let schema: StoreSchema

  init() {
    var schema = Shapes.articles
    schema.tables[0].shape.indexes = [.init(columns: [1], isUnique: true)]
    schema.tables[1].shape.indexes = [.init(columns: [1], isUnique: true)]
    schema.tables[3].shape.indexes = [.init(columns: [2], isUnique: true)]
    schema.tables[5].shape.indexes = [.init(columns: [1], isUnique: true, condition: "name <> 'free'")]
    self.schema = schema
  }

  /// Writes a body; gives the outcomes that are not empty, in words, and the rejections.
  private func write(
    _ store: SQLiteStore, rejectedByMapper: [String: Int] = [:], _ fill: (BatchBuilder) -> Void
  ) throws -> (outcomes: [String], rejects: [String]) {
    let builder = BatchBuilder(schema)
    fill(builder)
    var received = builder.received(schema)
    for index in received.indices {
      let count = rejectedByMapper[received[index].record] ?? 0
      received[index].received += count
      received[index].rejected += count
    }
    try store.begin()
    try store.write(builder.batch, endsBody: true)
    let outcomes = try store.commit(received).filter { $0 != RecordOutcome(record: $0.record) }
    return (
      outcomes.map {
        "\($0.record) +\($0.inserted) ~\($0.updated) =\($0.unchanged) !\($0.rejected) -\($0.notReceived)"
      }.sorted(),
      builder.batch.rejections.map { "\($0.pointer) \($0.field ?? "-"): \($0.reason)" }
    )
  }

  @Test func `a row that would break it is rejected, and the others stay`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let first = try write(store) {
      $0.record("articles", ["a", "x", nil, nil], at: "/items/0")
      $0.record("articles", ["b", "x", nil, nil], at: "/items/1")
      $0.record("articles", ["c", nil, nil, nil], at: "/items/2")
      $0.record("articles", ["d", nil, nil, nil], at: "/items/3")
      $0.record("articles", ["e", "y", nil, nil], at: "/items/4")
    }
    #expect(first.outcomes == ["Article +4 ~0 =0 !1 -0"])
    #expect(first.rejects == ["/items/1 title: another row has the same value in the unique index on 'title'"])
    #expect(try database.rows("SELECT id, title FROM articles") == ["'a','x'", "'c',NULL", "'d',NULL", "'e','y'"])
    #expect(
      try database.rows("SELECT record, pointer, field, source, value FROM _ingest_rejects")
        == ["'Article','/items/1','title','body.json','{}'"])
    #expect(
      try database.rows("SELECT record, received, inserted, rejected FROM _ingest_counts WHERE received > 0") == [
        "'Article',5,4,1"
      ])
    // An update that would break it leaves the row as it was; the same body again changes nothing.
    let second = try write(store) {
      $0.record("articles", ["a", "x", nil, nil], at: "/items/0")
      $0.record("articles", ["e", "x", 5, nil], at: "/items/1")
    }
    #expect(second.outcomes == ["Article +0 ~0 =1 !1 -0"])
    #expect(try database.rows("SELECT title, size FROM articles WHERE id = 'e'") == ["'y',NULL"])
  }

  @Test func `what is nested in a rejected row is not received`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let result = try write(store, rejectedByMapper: ["Note": 1]) {
      $0.record("articles", ["a", "x", nil, nil], at: "/0")
      let lost = $0.record("articles", ["b", "x", nil, nil], at: "/1")
      let words = $0.children("article_keywords", of: lost, key: ["b"], [["b", 0, "w", 1]], at: "/1/keywords")
      $0.children(
        "article_keywords_notes", of: words[0], key: ["b", 0], [["b", 0, 0, "n"]], at: "/1/keywords/0/notes")
      let tag = $0.record("tags", [1, "t"], at: "/1/tags/0", in: lost)
      $0.links("article_tags", of: lost, key: ["b"], [(["b", 1, 0], tag)])
      $0.batch.rejections = ["/1/keywords/0/notes/1", "/10"].map {
        Rejection(
          record: "Note", pointer: $0, field: nil, reason: "wrong", value: [], context: nil, body: 0,
          endpoint: "items")
      }
      $0.record("articles", ["c", "z", nil, nil], at: "/2")
    }
    #expect(
      result.outcomes == [
        "Article +2 ~0 =0 !1 -0", "Keyword +0 ~0 =0 !0 -1", "Note +0 ~0 =0 !-1 -2", "Tag +0 ~0 =0 !0 -1",
      ])
    #expect(result.rejects.map { $0.split(separator: " ")[0] } == ["/10", "/1"])
    for table in ["article_keywords", "article_keywords_notes", "tags", "article_tags"] {
      #expect(try database.rows("SELECT * FROM \(table)") == [])
    }
    #expect(
      try database.rows("SELECT record, received, rejected FROM _ingest_counts WHERE record IN ('Note', 'Tag')")
        == ["'Note',0,0", "'Tag',0,0"])
  }

  @Test func `a rejected child shields its link, and its parent refers to it only if it did before`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    func body(_ authors: [(article: Value, author: Value, name: Value)], _ tags: [(id: Value, name: Value)]) throws
      -> [String]
    {
      try write(store) { builder in
        for (article, author, name) in authors {
          let parent = builder.record("articles", [article, nil, nil, author], at: "/\(article)")
          builder.record("authors", [author, name], at: "/\(article)/author", in: parent)
          let rows = tags.map { builder.record("tags", [$0.id, $0.name], at: "/\(article)/tags", in: parent) }
          builder.links(
            "article_tags", of: parent, key: [article],
            zip(tags, rows).enumerated().map { ([article, $1.0.id, .integer(Int64($0))], $1.1) })
        }
      }.outcomes
    }
    _ = try body([("a", 1, "Ann"), ("b", 2, "Bob")], [(1, "s"), (2, "t")])
    #expect(try database.rows("SELECT id, author_id FROM articles") == ["'a',1", "'b',2"])
    // Author 3 cannot be stored; author 2 cannot be changed, though article b kept it and c never had it.
    let outcomes = try body([("a", 3, "Ann"), ("b", 2, "Ann"), ("c", 2, "Ann")], [(2, "s"), (3, "t"), (4, "free")])
    #expect(
      outcomes == [
        "Article +1 ~1 =1 !0 -0", "Author +0 ~0 =0 !3 -0", "Tag +1 ~0 =2 !6 -0",
      ])
    #expect(try database.rows("SELECT id, author_id FROM articles") == ["'a',NULL", "'b',2", "'c',NULL"])
    #expect(
      try database.rows("SELECT tag_id, position FROM article_tags WHERE article_id = 'a' ORDER BY 1")
        == ["2,1", "4,2"])
    #expect(try database.rows("SELECT * FROM tags") == ["1,'s'", "2,'t'", "4,'free'"])
    #expect(try database.faults() == [])
  }

  /// Words of article a before and after a body, and the words that are there then.
  static let lists: [(before: [Value], after: [Value], expected: String, rejected: Int)] = [
    (["x", "y"], ["y", "x"], "'y,x'", 0), (["x", "y"], ["y"], "'y'", 0), (["x"], ["z", "x"], "'z,x'", 0),
    (["x", "y", "z"], ["z", "x", "y"], "'z,x,y'", 0), (["x", "y"], ["y", "taken"], "'x,y'", 2),
    (["x"], ["x", "x", "v"], "'x,v'", 1), (["x"], ["taken", "w"], "'x,w'", 1), ([], ["taken"], "NULL", 1),
  ]

  @Test(arguments: lists)
  func `a list is judged by what it comes to`(
    _ before: [Value], _ after: [Value], _ expected: String, _ rejected: Int
  ) throws {
    for isTracked in [false, true] {
      let database = try TemporaryDatabase()
      let store = try database.store(schema)
      func fill(_ builder: BatchBuilder, _ id: Value, _ words: [Value]) {
        let parent = builder.record("articles", [id, nil, nil, nil], at: "/\(id)")
        builder.children(
          "article_keywords", of: parent, key: [id],
          words.enumerated().map { [id, .integer(Int64($0)), $1, nil] }, at: "/\(id)/keywords")
      }
      _ = try write(store) { fill($0, "other", ["taken"]) }
      _ = try write(store) { fill($0, "a", before) }
      let result = try write(store) {
        fill($0, "a", after)
        if isTracked { fill($0, "b", []) }
      }
      #expect(result.rejects.count == rejected)
      #expect(
        try database.rows(
          "SELECT group_concat(word) FROM (SELECT word FROM article_keywords WHERE article_id = 'a' ORDER BY position)")
          == [expected])
    }
  }

  @Test func `what breaks an index of the user's fails`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try database.run("CREATE UNIQUE INDEX mine ON articles(size)")
    let error = try #require(throws: StoreError.self) {
      try write(store) {
        $0.record("articles", ["a", "x", 1, nil], at: "/0")
        $0.record("articles", ["b", "y", 1, nil], at: "/1")
      }
    }
    #expect(error.code == .constraint)
  }
}
