import Records
import SQLiteStore
import Store
import Testing

/// Rows that go in together, and those that then do not.
struct BulkInsertionTests {
  let schema = Shapes.articles(references: false)

  /// Two databases, one whose rows go in together and one whose rows go in one by one.
  private func both(_ body: (TemporaryDatabase, SQLiteStore) throws -> Void) throws -> [TemporaryDatabase] {
    try [1, 1_000_000].map { fewest in
      let database = try TemporaryDatabase()
      try body(database, database.store(schema, fewestNewRows: fewest))
      return database
    }
  }

  private func fill(_ builder: BatchBuilder, articles: Range<Int>) {
    for number in articles {
      let id = Value.text("a\(number)")
      builder.row("articles", id, "t", .integer(Int64(number)), nil)
      let parent = builder.latestRow(of: "articles")
      let words = (0..<3).map { [id, .integer(Int64($0)), "w", 1] as [Value] }
      builder.list("article_keywords", of: [id], words, parentRow: parent)
    }
  }

  @Test func `values are stored as they are one by one`() throws {
    let values = RecordRowsTests.unlike.flatMap { [$0.0, $0.1] } + [.missing, .ifNew(7), .ifEqual("x"), .real(1e308)]
    let databases = try both { _, store in
      try store.write(schema) { builder in
        for (number, value) in values.enumerated() {
          builder.row("articles", .text("\(number)\0\u{e9}"), value, .integer(.min), nil)
        }
      }
    }
    let query = "SELECT hex(id), typeof(title), hex(title), quote(title), size FROM articles"
    #expect(try databases[0].rows(query) == databases[1].rows(query))
    #expect(try databases[0].rows(query).count == values.count)
  }

  @Test func `children go with their parent afterwards`() throws {
    let databases = try both { _, store in
      try store.write(schema) { fill($0, articles: 0..<20) }
      try store.write(schema) { $0.tombstone("articles", key: ["a7"]) }
    }
    for database in databases {
      #expect(try database.rows("SELECT count(*), count(DISTINCT article_id) FROM article_keywords") == ["57,19"])
      #expect(try database.faults() == [])
    }
  }

  @Test func `what a body brings and takes away has come to nothing`() throws {
    var outcomes: [[String: String]] = []
    _ = try both { database, store in
      try store.write(schema) { fill($0, articles: 100..<103) }
      outcomes.append(
        try store.writeBody(
          schema,
          [{ fill($0, articles: 0..<5) }, { $0.tombstone("articles", key: ["a3"]) }, { fill($0, articles: 5..<7) }]
        ))
      #expect(try database.rows("SELECT count(*) FROM article_keywords") == ["27"])
    }
    #expect(outcomes[0] == outcomes[1])
    #expect(outcomes[0]["Keyword"]?.hasPrefix("+18 ") == true)
  }

  @Test func `a key that comes twice is laid over`() throws {
    let databases = try both { _, store in
      let outcome = try store.write(schema) { builder in
        fill(builder, articles: 0..<10)
        builder.body()
        fill(builder, articles: 9..<12)
      }
      #expect(outcome == ["Article": "+12 ~0 =1", "Keyword": "+36 ~0 =3"])
      // The next ones may be new again.
      #expect(
        try store.write(schema) { fill($0, articles: 12..<15) } == ["Article": "+3 ~0 =0", "Keyword": "+9 ~0 =0"])
      #expect(
        try store.write(schema) { fill($0, articles: 15..<18) } == ["Article": "+3 ~0 =0", "Keyword": "+9 ~0 =0"])
    }
    let query = "SELECT * FROM articles ORDER BY id"
    #expect(try databases[0].rows(query) == databases[1].rows(query))
  }

  @Test(arguments: [
    ("SELECT raise(IGNORE)", "a trigger of table 'articles' keeps rows from being inserted"),
    ("SELECT raise(ABORT, 'not this one')", "not this one"),
    ("SELECT raise(ROLLBACK, 'nor this one')", "nor this one"),
    ("DELETE FROM authors", nil),
  ])
  func `a trigger has its way`(_ action: String, _ message: String?) throws {
    _ = try both { database, store in
      try store.write(schema) { $0.row("authors", 1, "n") }
      try database.run("CREATE TRIGGER t BEFORE INSERT ON articles WHEN new.id = 'a3' BEGIN \(action); END")
      // The file has changed; a run that begins then sees the trigger from the start.
      let next = try database.store(schema, fewestNewRows: 1)
      var said: String?
      do {
        try next.write(schema) { fill($0, articles: 0..<6) }
      } catch let error as StoreError {
        said = error.message
      }
      #expect(said == nil ? message == nil : said?.contains(message ?? "nothing") ?? false, "\(said ?? "-")")
      #expect(try database.rows("SELECT count(*) FROM articles") == [message == nil ? "6" : "0"])
      #expect(try database.rows("SELECT count(*) FROM authors") == [message == nil ? "0" : "1"])
    }
  }

  @Test func `a value that the column does not take names the table and the column`() throws {
    var said: [String] = []
    _ = try both { _, store in
      do {
        try store.write(schema) { builder in
          fill(builder, articles: 0..<5)
          builder.row("articles", "b", "t", "no number", nil)
        }
      } catch let error as StoreError {
        said.append(error.message)
      }
    }
    try #require(said.count == 2)
    #expect(said[0] == said[1])
    #expect(said[0].contains("size"))
  }

  // MARK: what others have made

  @Test func `a foreign key that somebody else made is kept`() throws {
    var said: [String] = []
    for fewest in [1, 1_000_000] {
      let database = try TemporaryDatabase()
      try database.run("CREATE TABLE sizes (id INTEGER PRIMARY KEY)")
      try database.run(
        "CREATE TABLE articles (id TEXT NOT NULL, title ANY, size INTEGER REFERENCES sizes (id), author_id INTEGER,"
          + " PRIMARY KEY (id)) STRICT")
      let store = try database.store(schema, fewestNewRows: fewest)
      do {
        try store.write(schema) { fill($0, articles: 0..<5) }
      } catch let error as StoreError {
        said.append(error.message)
      }
      #expect(try database.faults() == [])
      #expect(try database.rows("SELECT count(*) FROM articles") == ["0"])
    }
    #expect(said.count == 2)
  }

  @Test func `rows whose key is not their number are followed by their number`() throws {
    var outcomes: [[String: String]] = []
    for fewest in [1, 1_000_000] {
      let database = try TemporaryDatabase()
      try database.run("CREATE TABLE authors (id INT NOT NULL PRIMARY KEY, name TEXT) STRICT")
      let store = try database.store(schema, fewestNewRows: fewest)
      try store.write(schema) { builder in
        for number in 0..<20 { builder.row("authors", .integer(Int64(20 - number)), "old") }
      }
      outcomes.append(
        try store.writeBody(
          schema,
          [
            { builder in for number in 21...40 { builder.row("authors", .integer(Int64(number)), "new") } },
            { builder in for number in 1...20 { builder.row("authors", .integer(Int64(number)), "changed") } },
          ]))
    }
    #expect(outcomes[0] == ["Author": "+20 ~20 =0"])
    #expect(outcomes[0] == outcomes[1])
  }

  @Test func `a trigger that keeps a link of a new row from being made is an error`() throws {
    let schema = Shapes.articles
    let database = try TemporaryDatabase()
    _ = try database.store(schema)
    try database.run("CREATE TRIGGER t BEFORE INSERT ON article_tags BEGIN SELECT raise(IGNORE); END")
    let store = try database.store(schema)
    #expect(throws: StoreError.self) {
      try store.write(schema) { builder in
        builder.row("articles", "a", "t", nil, nil)
        let parent = builder.latestRow(of: "articles")
        builder.row("tags", 1, "t")
        builder.list("article_tags", of: ["a"], [["a", 1, 0]], parentRow: parent)
      }
    }
  }

  @Test func `links of a new row are those of its list, the first position of each`() throws {
    let schema = Shapes.articles
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.write(schema) { builder in
      for id in ["a", "b"] as [Value] {
        builder.row("articles", id, "t", nil, nil)
        let parent = builder.latestRow(of: "articles")
        builder.row("tags", 1, "t")
        builder.row("tags", 2, "t")
        builder.list("article_tags", of: [id], [[id, 2, 0], [id, 1, 1], [id, 2, 2]], parentRow: parent)
      }
    }
    let links = ["'a',2,0", "'a',1,1", "'b',2,0", "'b',1,1"]
    #expect(try database.rows("SELECT * FROM article_tags ORDER BY article_id, position") == links)
    #expect(try database.faults() == [])
  }
}
