import Store
import Testing

// The list of versions is nobody's business outside, but a later one has to be made up here.
@testable import SQLiteStore

/// Bookkeeping tables of other versions.
struct BookkeepingUpgradeTests {
  private let version = "SELECT type FROM _ingest_schema WHERE \"table\" = '_ingest_schema' AND \"column\" = ''"

  @Test func `each older version is brought to this one with what it holds`() throws {
    for older in 1...Bookkeeping.versions.count {
      let database = try TemporaryDatabase()
      do {
        let connection = try Connection(path: database.path)
        try Bookkeeping.upgrade(connection, from: 0, versions: Array(Bookkeeping.versions.prefix(older)))
        try connection.run(
          "INSERT INTO _ingest_runs (source, command, mapping, started_at, status) VALUES ('s', 'load', 'm', '', 'done')"
        )
      }
      let store = try database.store(Shapes.articles)
      try store.endRun(status: "done", message: nil)
      #expect(try database.rows("SELECT run_id, source FROM _ingest_runs") == ["1,'s'", "2,'demo'"])
      #expect(try database.rows(version) == ["'\(Bookkeeping.versions.count)'"])
    }
  }

  @Test(arguments: [
    "CREATE TABLE _ingest_schema (name TEXT)", "CREATE TABLE _ingest_schema (type TEXT, [table] TEXT)",
    "CREATE TABLE _ingest_schema (type TEXT, [table] TEXT, [column] TEXT)",
  ])
  func `a table of that name that something else made is left alone, and named`(_ sql: String) throws {
    let database = try TemporaryDatabase()
    try Connection(path: database.path).run(sql)
    let before = try database.contents()
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(Shapes.articles, allowingLoss: true)
    }
    #expect(error.code == .unusable && error.message.contains("has a table _ingest_schema"))
    #expect(try database.contents() == before)
  }

  @Test func `a later version is made out of this one, and refused by it`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    let later = Bookkeeping.versions + [["ALTER TABLE _ingest_runs ADD COLUMN host TEXT"]]
    let connection = try Connection(path: database.path)
    try Bookkeeping.upgrade(connection, from: Bookkeeping.version(of: connection), versions: later)
    #expect(try database.rows("SELECT run_id, host FROM _ingest_runs") == ["1,NULL"])
    #expect(try database.rows(version) == ["'\(later.count)'"])
    let before = try database.contents()
    let error = try #require(throws: StoreError.self) {
      try SQLiteStore(path: database.path).prepare(Shapes.articles, allowingLoss: true)
    }
    #expect(error.code == .refused)
    #expect(try database.contents() == before)
  }
}
