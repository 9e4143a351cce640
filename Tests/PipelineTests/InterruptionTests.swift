import Fetch
import Pipeline
import Testing

/// A signal between pages, bodies and parts of a body.
struct InterruptionTests {
  private static let body = #"{"items": [{"id": 1}, {"id": 2}]}"#

  @Test(arguments: ["json", "ndjson"])
  func `whenever it comes, a body is stored whole or not at all, and the run says so`(_ ending: String) throws {
    var seen: Set<Int> = []
    for count in 0..<12 {
      let bench = try Bench.items()
      let countdown = Countdown(count)
      let bodies = [Self.body, #"{"items": [{"id": 3}, {"id": 4}]}"#]
      let run = try bench.load(bodies, ending: ending, isInterrupted: { countdown.isOver })
      let rows = try bench.rows("SELECT id FROM items").count
      seen.insert(rows)
      #expect([0, 2, 4].contains(rows))
      let status = try bench.rows("SELECT status, finished_at IS NOT NULL FROM _ingest_runs")
      if run.failure == nil {
        #expect(rows == 4 && status == ["done|1"])
      } else {
        #expect(run.failure?.kind == .interrupted && status == ["interrupted|1"])
        #expect(run.summary.records[0].received == rows)
      }
      #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["0"], "it is no fault of the body")
      #expect(try bench.faults().isEmpty)
    }
    #expect(seen == [0, 2, 4])
  }

  @Test func `between pages and within a wait it ends the walk, and the pages before it stay`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, paginate: {by: page, param: p, start: 1}}}
      """)
    let script = Script([.ok(Self.body), .failure(FetchError(.interrupted, "stopped"))])
    let run = try bench.run(script)
    #expect(run.failure?.kind == .interrupted && script.requests.count == 2)
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["interrupted"])
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
    let other = Script(bodies: [Self.body])
    #expect(try bench.run(other, isInterrupted: { true }).failure?.kind == .interrupted)
    #expect(other.requests.isEmpty)
  }
}
