import Foundation
import SQLiteStore
import Store
import Testing

/// State that is on the disk at once, whatever becomes of the transaction at hand.
struct PendingStateTests {
  private let schema = Shapes.articles
  private let kept = "SELECT name, value FROM _ingest_state WHERE name LIKE 'auth.%' ORDER BY name"

  private func set(_ value: String, _ name: String = "auth.a") -> StateChange {
    .set(scope: "", name: name, value: value)
  }

  private func files(_ database: TemporaryDatabase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: database.folder.path).filter { $0.contains("-state-") }
  }

  private func run(_ store: SQLiteStore, isWhole: Bool = false, source: String = "demo") throws {
    var entry = RunEntry(source: source, command: "run", mapping: "m.yaml")
    entry.isWhole = isWhole
    _ = try store.beginRun(entry)
  }

  @Test func `outside of a transaction it has one of its own`() throws {
    let database = try TemporaryDatabase()
    let connection = try Connection(path: database.path)
    let store = try database.store(schema, on: connection)
    try store.keepAtOnce([set("1"), set("2"), set("x", "auth.b")])
    #expect(try database.rows(kept) == ["'auth.a','2'", "'auth.b','x'"])
    try store.keepAtOnce([.remove(scope: "", name: "auth.b")])
    #expect(try database.rows(kept) == ["'auth.a','2'"] && files(database).isEmpty)
    #expect(try store.state(scope: "", name: "auth.a")?.value == "2")
    // Only such a transaction waits for the disk.
    let mode = try connection.prepare("PRAGMA synchronous")
    #expect(try mode.step() && mode.integer(0) == 1)
  }

  @Test(arguments: ["failed", "done"])
  func `within a run of one transaction it is set aside, and applied however the run ends`(_ status: String) throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(schema, allowingLoss: false)
    try run(store, isWhole: true)
    try store.keepAtOnce([set("1")])
    try store.keep([set("undone", "auth.c")])
    try store.keepAtOnce([set("2"), .removeAll(scope: "", prefix: "auth.z")])
    let names = try files(database)
    let mode = try FileManager.default.attributesOfItem(atPath: database.folder.path + "/" + (names.first ?? ""))
    #expect(names.count == 1 && mode[.posixPermissions] as? Int == 0o600)
    #expect(try database.rows(kept).isEmpty)
    try store.endRun(status: status, message: nil)
    #expect(try database.rows(kept) == ["'auth.a','2'"] + (status == "done" ? ["'auth.c','undone'"] : []))
    #expect(try files(database).isEmpty)
  }

  @Test func `a killed run's is applied by the next run of the source, and by no other`() throws {
    let database = try TemporaryDatabase()
    do {
      let store = SQLiteStore(try Connection(path: database.path))
      try store.prepare(schema, allowingLoss: false)
      try run(store, isWhole: true)
      try store.keepAtOnce([set("1")])
      // Gone before its end.
      try store.close()
    }
    #expect(try database.rows(kept).isEmpty && files(database).count == 1)
    let other = SQLiteStore(try Connection(path: database.path))
    try other.prepare(schema, allowingLoss: false)
    try run(other, source: "other")
    #expect(try files(database).count == 1)
    try other.endRun(status: "done", message: nil)
    let next = SQLiteStore(try Connection(path: database.path))
    try next.prepare(schema, allowingLoss: false)
    try run(next)
    #expect(try next.state(scope: "", name: "auth.a")?.value == "1" && files(database).isEmpty)
  }

  @Test func `a file that was made and not filled is no obstacle`() throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(schema, allowingLoss: false)
    try run(store, isWhole: true)
    try store.keepAtOnce([set("1")])
    let name = try #require(try files(database).first)
    try store.endRun(status: "done", message: nil)
    try Data().write(to: database.folder.appendingPathComponent(name))
    try run(store)
    #expect(try files(database).isEmpty)
  }

  /// A store that waits for nobody.
  private func impatient(_ database: TemporaryDatabase) throws -> SQLiteStore {
    let connection = try Connection(path: database.path)
    try connection.run("PRAGMA busy_timeout = 20")
    return SQLiteStore(connection)
  }

  @Test func `within another's transaction it is set aside, and is the newest when it is applied`() throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(schema, allowingLoss: false)
    let other = try impatient(database)
    try other.prepare(schema, allowingLoss: false)
    try run(other, source: "other")
    try run(store, isWhole: true)
    try other.keepAtOnce([set("1")])
    try other.setAside([set("2")], for: "other")
    try store.keepAtOnce([set("a")])
    #expect(try other.state(scope: "", name: "auth.a")?.value == "2" && files(database).count == 2)
    // Within its own transaction, too.
    #expect(try store.state(named: "auth.a", besides: "demo") == ["2"])
    #expect(try store.state(scope: "", name: "auth.a")?.value == "a")
    try store.endRun(status: "done", message: nil)
    #expect(try database.rows(kept) == ["'auth.a','a'"] && files(database).count == 1)
    try other.keepAtOnce([set("3")])
    #expect(try database.rows(kept) == ["'auth.a','a'", "'auth.a','3'"] && files(database).isEmpty)
    #expect(try store.state(named: "auth.a", besides: "demo") == ["3"])
  }

  @Test func `what is kept under a run of its own is kept with all of that run, or not at all`() throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(schema, allowingLoss: false)
    let other = try impatient(database)
    try other.setAside([set("old"), set("set aside", "auth.b")], for: "demo")
    let entry = RunEntry(source: "demo", command: "try", mapping: "m.yaml")
    try run(store, isWhole: true)
    let refusal = #expect(throws: StoreError.self) { try other.keep([set("new")], under: entry) }
    #expect(refusal?.code == .busy)
    try store.endRun(status: "failed", message: nil)
    let runs = "SELECT command, status, finished_at IS NULL FROM _ingest_runs ORDER BY run_id"
    let before = try database.rows(runs)
    #expect(!before.contains { $0.contains("running") } && !before.contains { $0.contains("try") })
    try other.keep([set("new")], under: entry)
    #expect(try database.rows(runs) == before + ["'try','done',0"])
    // What had been set aside is older.
    #expect(try other.state(of: "demo", scope: "", prefix: "auth.").map(\.value) == ["new", "set aside"])
    #expect(try files(database).isEmpty)
  }

  @Test func `nothing that several set aside at a time is lost`() throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(schema, allowingLoss: false)
    try run(store)
    let path = database.path
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<20 {
        guard let store = try? SQLiteStore(path: path) else { return }
        if thread == 0 {
          try? run(store)
        } else {
          try? store.setAside([set("x", "auth.\(thread).\(number)")], for: "demo")
        }
        try? store.close()
      }
    }
    try run(store)
    #expect(try database.rows(kept).count == 60 && files(database).isEmpty)
  }

  @Test func `a database in memory keeps it in memory`() throws {
    let store = try SQLiteStore(path: ":memory:")
    try store.prepare(schema, allowingLoss: false)
    try run(store, isWhole: true)
    try store.keepAtOnce([set("1")])
    try store.endRun(status: "failed", message: nil)
    try run(store)
    #expect(try store.state(scope: "", name: "auth.a")?.value == "1")
  }
}
