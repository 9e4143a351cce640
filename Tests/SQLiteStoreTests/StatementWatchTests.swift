import SQLiteStore
import Store
import Testing

/// A store that is asked to stop while a statement runs long, or waits for another process.
struct StatementWatchTests {
  private static let endless =
    "CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"

  @Test func `a statement that runs long ends, and what it was part of is undone`() throws {
    let database = try TemporaryDatabase()
    let connection = try Connection(path: database.path)
    let store = try database.store(Shapes.articles, on: connection)
    let begun = ContinuousClock().now
    store.watch { begun.duration(to: ContinuousClock().now) > .milliseconds(200) }
    try store.begin()
    let error = try #require(throws: StoreError.self) { try connection.run(Self.endless) }
    #expect(error.code == .interrupted)
    #expect(begun.duration(to: ContinuousClock().now) < .seconds(2))
    try store.rollback()
    #expect(!connection.isInTransaction)
    #expect(try database.rows("SELECT count(*) FROM sqlite_schema WHERE name = 't'") == ["0"])
  }

  @Test func `what notes the end is let alone`() throws {
    let database = try TemporaryDatabase()
    let connection = try Connection(path: database.path)
    let store = try database.store(Shapes.articles, on: connection)
    store.watch { true }
    #expect(throws: StoreError.self) { try connection.run(Self.endless) }
    // One statement is ended; the next one is what is left to do.
    try connection.run(
      "CREATE TABLE more AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 300000) SELECT n FROM c"
    )
    try store.endRun(status: "interrupted", message: nil)
    #expect(try database.rows("SELECT status FROM _ingest_runs") == ["'interrupted'"])
  }

  @Test func `the wait for another process ends`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    let other = try Connection(path: database.path)
    try other.run("BEGIN IMMEDIATE")
    let begun = ContinuousClock().now
    store.watch { begun.duration(to: ContinuousClock().now) > .milliseconds(200) }
    #expect(try #require(throws: StoreError.self) { try store.begin() }.code == .interrupted)
    // The end of the run cannot be noted, and that is soon known.
    #expect(
      try #require(throws: StoreError.self) { try store.endRun(status: "interrupted", message: nil) }.code == .busy)
    try store.close()
    #expect(begun.duration(to: ContinuousClock().now) < .seconds(3))
    try other.run("ROLLBACK")
  }
}
