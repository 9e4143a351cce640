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
}
