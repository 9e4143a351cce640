import Records
import SQLiteStore
import Store
import Testing

/// Runs, counts, rejects and errors.
struct BookkeepingTests {
  let schema = Shapes.articles

  @Test func `the tables have the columns of the contract, in order`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(schema)
    let columns = [
      "_ingest_runs": "run_id,source,command,mapping,started_at,finished_at,status,message",
      "_ingest_counts": "run_id,record,received,inserted,updated,unchanged,deleted,skipped,filtered,rejected,swept",
      "_ingest_rejects": "run_id,endpoint,source,record,pointer,field,reason,value,context,redacted",
      "_ingest_errors": "run_id,endpoint,at,method,url,status,code,message,excerpt,action,attempt",
      "_ingest_responses":
        "response_id,run_id,source,endpoint,method,url,path,file,status,fetched_at,headers,variables,"
        + "charset,scope,obsolete_since,size,packed_size,body,redacted",
      "_ingest_files": "run_id,name,path,endpoint,method,url,status,variables,read_at,size,modified",
      "_ingest_last_run":
        "source,run_id,command,mapping,started_at,finished_at,status,message,received,inserted,updated,unchanged,deleted,"
        + "skipped,filtered,rejected,swept",
    ]
    for (table, names) in columns {
      #expect(try database.rows("SELECT group_concat(name) FROM pragma_table_info('\(table)')") == ["'\(names)'"])
    }
  }

  @Test func `runs are numbered upwards, and know how they ended`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    #expect(try database.rows("SELECT status, finished_at FROM _ingest_runs") == ["'running',NULL"])
    try store.endRun(status: "done", message: nil)
    let second = try store.beginRun(RunEntry(source: "demo", command: "run", mapping: "m.yaml"))
    try store.endRun(status: "failed", message: "it failed")
    #expect(second == 2)
    #expect(
      try database.rows("SELECT run_id, source, command, mapping, status, message FROM _ingest_runs") == [
        "1,'demo','load','mapping.yaml','done',NULL", "2,'demo','run','m.yaml','failed','it failed'",
      ])
    let pattern = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9]"
    #expect(
      try database.rows(
        "SELECT count(*) FROM _ingest_runs WHERE started_at GLOB '\(pattern)' AND finished_at GLOB '\(pattern)' "
          + "AND abs(julianday(started_at) - julianday('now')) < 1") == ["2"])
    try store.close()
    try database.run("DELETE FROM _ingest_runs")
    let later = try SQLiteStore(path: database.path)
    #expect(try later.beginRun(RunEntry(source: "demo", command: "run", mapping: "m.yaml")) == 3)
  }

  @Test func `counts of all transactions of a run are added up`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    for _ in 1...2 {
      let builder = BatchBuilder(schema)
      builder.row("articles", "a", "x", nil, nil)
      builder.row("events", nil)
      var article = ReceivedCounts(record: "Article")
      (article.received, article.skipped, article.filtered, article.rejected) = (10, 2, 3, 4)
      var event = ReceivedCounts(record: "Event")
      event.received = 1
      try store.begin()
      try store.write(builder.batch, endsBody: true)
      let outcomes = try store.commit([article, event, ReceivedCounts(record: "Nothing")])
      #expect(outcomes.map(\.record) == ["Article", "Event", "Nothing"])
    }
    #expect(
      try database.rows("SELECT * FROM _ingest_counts ORDER BY record") == [
        "1,'Article',20,1,0,1,0,4,6,8,0", "1,'Event',2,2,0,0,0,0,0,0,0", "1,'Nothing',0,0,0,0,0,0,0,0,0",
      ])
  }

  @Test(arguments: [0, 2]) func `counts that do not add up undo the transaction`(_ received: Int) throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let builder = BatchBuilder(schema)
    builder.row("articles", "a", "x", nil, nil)
    var counts = ReceivedCounts(record: "Article")
    counts.received = received
    try store.begin()
    try store.write(builder.batch, endsBody: true)
    let error = try #require(throws: StoreError.self) { try store.commit([counts]) }
    #expect(error.code == .failed)
    #expect(error.message.contains("counts do not add up for record 'Article'"))
    #expect(try database.rows("SELECT * FROM articles") == [])
    #expect(try database.rows("SELECT * FROM _ingest_counts") == [])
    // The store goes on.
    try store.rollback()
    #expect(try store.write(schema) { $0.row("articles", "a", "x", nil, nil) }["Article"] == "+1 ~0 =0")
  }

  private func rejection(_ pointer: String, body: UInt32, field: String?, context: String?) -> Rejection {
    Rejection(
      record: "Article", pointer: pointer, field: field, reason: "no integer", value: Array("{\"id\":\"é\0\"}".utf8),
      context: context, body: body, endpoint: "search")
  }

  @Test func `rejects are kept with their body's name, together with the rows`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.begin()
    let builder = BatchBuilder(schema)
    builder.body("lines.jsonl", line: 7)
    builder.batch.rejections = [
      rejection("/a/0", body: 0, field: "id", context: nil),
      rejection("", body: 1, field: nil, context: "{\"$route.owner\": \"ada\"}"),
    ]
    try store.write(builder.batch, endsBody: true)
    #expect(try database.rows("SELECT count(*) FROM _ingest_rejects") == ["0"])
    var counts = ReceivedCounts(record: "Article")
    (counts.received, counts.rejected) = (2, 2)
    _ = try store.commit([counts])
    #expect(
      try database.rows("SELECT run_id, endpoint, source, record, pointer, field, reason, context FROM _ingest_rejects")
        == [
          "1,'search','body.json','Article','/a/0','id','no integer',NULL",
          "1,'search','lines.jsonl:7','Article','',NULL,'no integer','{\"$route.owner\": \"ada\"}'",
        ])
    #expect(try database.rows("SELECT DISTINCT hex(value) FROM _ingest_rejects") == ["'7B226964223A22C3A900227D'"])
  }

  @Test func `errors are kept when the transaction is undone`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.begin()
    let builder = BatchBuilder(schema)
    builder.row("articles", "a", nil, nil, nil)
    try store.write(builder.batch, endsBody: false)
    try store.rollback()
    try store.rollback()
    try store.record(
      ErrorEntry(
        endpoint: "search", method: "GET", url: "https://x.test/", status: 429, code: "c", message: "m", excerpt: "e",
        action: "retry", attempt: 3))
    try store.record(ErrorEntry(endpoint: nil))
    #expect(try database.rows("SELECT * FROM articles") == [])
    #expect(
      try database.rows(
        "SELECT run_id, endpoint, at > '2020', method, url, status, code, message, excerpt, action, attempt "
          + "FROM _ingest_errors") == [
          "1,'search',1,'GET','https://x.test/',429,'c','m','e','retry',3",
          "1,NULL,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1",
        ])
    // What the body has done before is forgotten with it.
    #expect(try store.write(schema) { $0.row("articles", "a", nil, nil, nil) }["Article"] == "+1 ~0 =0")
  }

  /// What the user has added to the database, and a message that says so without a value.
  static let constraints: [(sql: String, message: String)] = [
    ("CREATE UNIQUE INDEX mine ON articles(title)", "UNIQUE constraint failed: articles.title"),
    ("CREATE TRIGGER mine BEFORE INSERT ON articles BEGIN SELECT raise(ABORT, 'not today'); END", "not today"),
    ("CREATE TRIGGER mine BEFORE INSERT ON articles BEGIN SELECT raise(IGNORE); END", "a trigger of table 'articles'"),
  ]

  @Test(arguments: constraints)
  func `a constraint of the user's is named, and the transaction is undone`(_ sql: String, _ message: String) throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.write(schema) { $0.row("authors", 1, nil) }
    try database.run(sql)
    let error = try #require(throws: StoreError.self) {
      try store.write(schema) { builder in
        for id in ["a", "b"] as [Value] { builder.row("articles", id, "secret", nil, nil) }
        builder.row("authors", 2, nil)
      }
    }
    #expect(error.code == .constraint)
    #expect(error.message.contains(message))
    #expect(!error.message.contains("secret"))
    #expect(try database.rows("SELECT (SELECT count(*) FROM articles), (SELECT count(*) FROM authors)") == ["0,1"])
  }

  @Test func `a reference to no row is named`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    let error = try #require(throws: StoreError.self) {
      try store.write(schema) { $0.row("articles", "a", nil, nil, 9) }
    }
    #expect(error.code == .constraint)
    #expect(error.message == "table 'articles' would hold a row whose (author_id) refers to no row of 'authors'")
    // Tables may come in any order within a transaction.
    try store.write(schema) { builder in
      builder.row("articles", "a", nil, nil, 9)
      builder.row("authors", 9, nil)
    }
  }

  @Test func `a second reading writes nothing but its counts`() throws {
    let database = try TemporaryDatabase()
    let connection = try Connection(path: database.path)
    let store = try database.store(schema, on: connection)
    let fill: (BatchBuilder) -> Void = { builder in
      for number in 0..<500 {
        let id = Value.text("a\(number)")
        builder.row("articles", id, 1.5, .integer(Int64(number)), 1)
        builder.list("article_badge", of: [id], [[id, "red", nil]])
        builder.list("article_keywords", of: [id], [[id, 0, "x", 1], [id, 2, "y", nil]])
        builder.list("article_tags", of: [id], [[id, 1, 0], [id, "b", 1]])
      }
      builder.row("authors", 1, "n")
      builder.row("tags", 1, "n")
      builder.row("tags", "b", "n")
    }
    func changes() throws -> Int64 {
      let statement = try connection.prepare("SELECT total_changes()")
      #expect(try statement.step())
      return statement.integer(0)
    }
    try store.write(schema, fill)
    let before = try (changes: changes(), size: database.contents()[1].count)
    let outcomes = try store.write(schema, fill)
    #expect(
      outcomes == [
        "Article": "+0 ~0 =500", "Author": "+0 ~0 =1", "Badge": "+0 ~0 =500", "Keyword": "+0 ~0 =1000",
        "Tag": "+0 ~0 =2",
      ])
    // A row of _ingest_counts for each record of the schema, on one page or two.
    #expect(try changes() - before.changes == 7)
    #expect(try database.contents()[1].count - before.size <= 2 * (8192 + 24))
    #expect(try database.faults() == [])
  }
}
