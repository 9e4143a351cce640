import Records
import SQLiteStore
import Store
import Synchronization
import Testing

/// Work in the database that lasts as long as a mapping makes it last.
struct InterruptionTests {
  private static let endless =
    "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n) > 0"

  /// When the store has been asked this often, it is to stop.
  private final class Patience: Sendable {
    private let left: Atomic<Int>

    init(_ questions: Int) { left = Atomic(questions) }

    var isOver: Bool { left.subtract(1, ordering: .relaxed).newValue < 0 }
  }

  private func parents(_ condition: String) -> ParentQuery {
    ParentQuery(table: "articles", columns: ["id"], order: ["id"], required: [], condition: condition)
  }

  @Test func `a condition without an end is interrupted, and the store goes on`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    try database.run("INSERT INTO articles (id) VALUES ('a')")
    let patience = Patience(3)
    store.watch { patience.isOver }
    let failure = #expect(throws: StoreError.self) { _ = try store.parents(parents(Self.endless)) }
    #expect(failure?.code == .interrupted)
    // What ends the run is not asked.
    try store.endRun(status: "interrupted", message: nil)
    #expect(try database.rows("SELECT status FROM _ingest_runs") == ["'interrupted'"])
    let again = SQLiteStore(try Connection(path: database.path))
    again.watch { false }
    #expect(try again.parents(parents("1")).next(10) == [[.text("a")]])
  }

  @Test func `a change of the schema is interrupted, and undone`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    try database.run(
      "INSERT INTO articles (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
        + "SELECT 'a' || i FROM n")
    let before = try database.rows("SELECT sql FROM sqlite_schema ORDER BY 1")
    var wanted = Shapes.articles
    wanted.tables[0].shape.indexes.append(IndexShape(columns: [0, 1]))
    let store = SQLiteStore(try Connection(path: database.path))
    store.watch { true }
    let failure = #expect(throws: StoreError.self) { try store.prepare(wanted, allowingLoss: false) }
    #expect(failure?.code == .interrupted)
    #expect(try database.rows("SELECT sql FROM sqlite_schema ORDER BY 1") == before)
    store.watch { false }
    try store.prepare(wanted, allowingLoss: false)
    #expect(try database.rows("SELECT sql FROM sqlite_schema ORDER BY 1").count == before.count + 1)
  }
}
