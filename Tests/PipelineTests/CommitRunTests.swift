import Fetch
import Pipeline
import Testing

/// `store: {commit: run}`: a run takes effect as a whole, or not at all.
struct CommitRunTests {
  private func bench(_ endpoint: String = "", record: String = "") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      store: {commit: run}
      records:
        Item: {key: id, table: items, fields: [{id: {type: integer}}], relationships: {tags: [{fields: {tag: .}}]}\(record)}
      endpoints:
        one: {path: /one, records: {items: Item}}
        two: {path: /two, records: {items: Item}\(endpoint)}
      """)
  }

  private static func page(_ ids: [Int]) -> Script.Answer {
    .ok("{\"items\": [\(ids.map { "{\"id\": \($0), \"tags\": [\"t\"]}" }.joined(separator: ", "))]}")
  }

  @Test func `a run that succeeds is kept`() throws {
    let bench = try bench()
    let run = try bench.run(Script([Self.page([1]), Self.page([2])]))
    #expect(run.failure == nil)
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["done"])
  }

  @Test func `a run that fails leaves its run and its errors, and nothing else`() throws {
    let bench = try bench()
    _ = try bench.run(Script([Self.page([1]), Self.page([2])]))
    let before = try bench.contents()
    let run = try bench.run(Script([Self.page([1, 3]), .status(400, #"{"message": "no"}"#)]))
    #expect(run.failure != nil)
    #expect(run.counts.isEmpty)
    #expect(try bench.contents() == before)
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["done", "failed"])
    #expect(try bench.rows("SELECT run_id, status FROM _ingest_errors") == ["2|400"])
    #expect(try bench.rows("SELECT DISTINCT run_id FROM _ingest_counts") == ["1"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_state WHERE run_id = 2") == ["0"])
  }

  @Test func `a body that fails is undone alone, when its failure is none of the run`() throws {
    let bench = try bench(", on_failure: stored", record: ", unmapped: fail")
    _ = try bench.run(Script([Self.page([1]), Self.page([2])]))
    let run = try bench.run(Script([Self.page([1, 3]), .ok(#"{"items": [{"id": 4}, {"id": 5, "x": 1}]}"#)]))
    #expect(run.failure == nil)
    #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ["1", "2", "3"])
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["done", "done"])
  }

  @Test(arguments: [", sweep: {max_delete: 100%}", ", write: replace"])
  func `sweeps and replacements are part of the run`(_ record: String) throws {
    let bench = try bench(record: record)
    _ = try bench.run(Script([Self.page([1, 2]), Self.page([3])]))
    let before = try bench.contents()
    _ = try bench.run(Script([Self.page([1]), .status(400)]))
    #expect(try bench.contents() == before)
    #expect(try bench.run(Script([Self.page([1]), Self.page([3])])).failure == nil)
    #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ["1", "3"])
  }

  @Test func `an interrupted run leaves nothing to continue`() throws {
    let bench = try bench()
    let run = try bench.run(Script([Self.page([1]), .failure(FetchError(.interrupted, "cut"))]))
    #expect(run.failure?.kind == .interrupted)
    #expect(try bench.rows("SELECT id FROM items") == [])
    let next = Script([Self.page([1]), Self.page([2])])
    #expect(try bench.run(next).failure == nil)
    #expect(next.lines == ["GET /one", "GET /two"])
  }
}
