import SQLiteStore
import Store
import Testing

/// A store that is asked to stop while it waits for another process.
struct LockWaitTests {
  @Test func `the wait ends, and the end of the run is tried for a while only`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    let other = try Connection(path: database.path)
    try other.run("BEGIN IMMEDIATE")
    let begun = ContinuousClock().now
    store.watch { begun.duration(to: ContinuousClock().now) > .milliseconds(200) }
    #expect(try #require(throws: StoreError.self) { try store.begin() }.code == .interrupted)
    #expect(begun.duration(to: ContinuousClock().now) < .seconds(2))
    let error = try #require(throws: StoreError.self) { try store.endRun(status: "interrupted", message: nil) }
    #expect(error.code == .busy)
    try store.close()
    #expect(begun.duration(to: ContinuousClock().now) < .seconds(4))
    try other.run("ROLLBACK")
  }

  @Test func `what notes the end waits although the run was asked to stop`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    store.watch { true }
    try store.endRun(status: "interrupted", message: nil)
    #expect(try database.rows("SELECT status FROM _ingest_runs") == ["'interrupted'"])
  }
}
