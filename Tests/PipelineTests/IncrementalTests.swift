import Fetch
import Pipeline
import Testing

/// `incremental`: what is asked from, and when the cursor moves.
struct IncrementalTests {
  private func bench(_ incremental: String, type: String = "timestamp", endpoint: String = "", record: String = "")
    throws -> Bench
  {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      records: {Event: {key: id, table: events, fields: [{id: {type: integer}}, {at: {type: \(type)}}]\(record)}}
      endpoints: {events: {path: /events, records: {events: Event}, incremental: {column: at, \(incremental)}\(endpoint)}}
      """)
  }

  private static func events(_ values: [String]) -> String {
    let events = values.enumerated().map { "{\"id\": \($0 + 1), \"at\": \($1)}" }
    return "{\"events\": [\(events.joined(separator: ", "))]}"
  }

  struct Step: Sendable {
    var type: String
    /// Values of the first run, as JSON.
    var values: [String]
    /// What the second run asks from.
    var sent: String
    var rules = "param: since"
  }

  @Test(arguments: [
    Step(type: "integer", values: ["9", "10", "2"], sent: "10"),
    Step(type: "decimal", values: [#""9.5""#, "10", "9.75"], sent: "10"),
    Step(type: "real", values: ["9.5", "10.25", "-100"], sent: "10.25"),
    Step(type: "text", values: [#""b""#, #""é""#, #""a""#], sent: "%C3%A9"),
    // Instants, not texts: the second is the later one.
    Step(
      type: "timestamp", values: [#""2024-03-01T23:00:00-02:00""#, #""2024-03-02T00:30:00+00:00""#],
      sent: "2024-03-02T01%3A00%3A00Z"),
    Step(
      type: "timestamp", values: [#""2024-03-01T00:00:00.123456789Z""#, #""2024-03-01T00:00:00.12Z""#],
      sent: "2024-03-01T00%3A00%3A00.123456789Z"),
    Step(
      type: "timestamp", values: [#""2024-03-01T09:00:00Z""#], sent: "1709283600",
      rules: "param: since, format: epoch_s"),
    Step(
      type: "timestamp", values: [#""2024-03-01T09:00:00Z""#], sent: "1709283599750",
      rules: "param: since, format: epoch_ms, lookback: 250ms"),
    Step(
      type: "date", values: [#""2024-03-01""#, #""2024-02-29""#], sent: "2024-02-28",
      rules: "param: since, lookback: 2d"),
    Step(type: "any", values: ["9", "10"], sent: "10"),
  ])
  func `the next run asks from the largest value`(_ step: Step) throws {
    let bench = try bench(step.rules, type: step.type)
    #expect(try bench.run(Script(bodies: [Self.events(step.values)])).failure == nil)
    let script = Script(bodies: [#"{"events": []}"#])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /events?since=\(step.sent)"])
  }

  @Test func `the cursor never goes back, and a full run asks for everything`() throws {
    let bench = try bench("param: since", type: "integer")
    for (value, line) in [("7", "GET /events"), ("5", "GET /events?since=7"), ("8", "GET /events?since=7")] {
      let script = Script(bodies: [Self.events([value])])
      #expect(try bench.run(script).failure == nil)
      #expect(script.lines == [line])
    }
    let full = Script(bodies: [Self.events(["6"])])
    #expect(try bench.run(full, options: WalkOptions(isFull: true)).failure == nil)
    #expect(full.lines == ["GET /events"])
    let after = Script(bodies: [Self.events([])])
    #expect(try bench.run(after).failure == nil)
    #expect(after.lines == ["GET /events?since=6"])
  }

  @Test func `filtered and rejected records have been received, values that are none have not`() throws {
    let bench = try bench("param: since", type: "integer", record: ", where: {skip: {exists: false}}")
    let body = """
      {"events": [{"id": 1, "at": 3}, {"id": 2, "at": 8, "skip": 1}, {"id": "x", "at": 6}, {"id": 4, "at": "late"},
        {"id": 5, "at": null}, {"id": 6}]}
      """
    #expect(try bench.run(Script(bodies: [body])).failure == nil)
    let script = Script(bodies: [Self.events([])])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /events?since=8"])
  }

  @Test func `a number and a text have no order`() throws {
    let bench = try bench("param: since", type: "any")
    let run = try bench.run(Script(bodies: [Self.events(["9", #""10""#])]))
    #expect(run.failure?.message.contains("'at' holds numbers and texts") == true)
    #expect(try bench.rows("SELECT count(*) FROM events") == ["0"])
  }

  @Test(arguments: [
    // Partial, and failed.
    (", paginate: {by: page, param: page, start: 1, max_pages: 1}", [Script.Answer.ok(events(["5"]))]),
    (", paginate: {by: page, param: page, start: 1}", [Script.Answer.ok(events(["5"])), .status(400)]),
  ])
  func `a walk that is not complete moves no cursor`(_ paging: String, _ answers: [Script.Answer]) throws {
    let bench = try bench("param: since", type: "integer", endpoint: paging)
    _ = try bench.run(Script(answers))
    #expect(try bench.rows("SELECT count(*) FROM _ingest_state WHERE name = 'cursor'") == ["0"])
  }

  @Test func `a walk from a cursor sweeps nothing`() throws {
    let bench = try bench("param: since", type: "integer", record: ", sweep: true")
    #expect(try bench.run(Script(bodies: [Self.events(["1", "2"])])).failure == nil)
    let run = try bench.run(Script(bodies: [#"{"events": [{"id": 2, "at": 2}]}"#]))
    #expect(run.warnings == ["Event: nothing was swept: the walk began at a cursor"])
    #expect(try bench.rows("SELECT id FROM events ORDER BY id") == ["1", "2"])
  }

  @Test func `a table that is made anew is filled from the beginning`() throws {
    let bench = try bench("param: since", type: "integer")
    #expect(try bench.run(Script(bodies: [Self.events(["1", "2"])])).failure == nil)
    try bench.change("DROP TABLE events")
    let script = Script(bodies: [Self.events(["1", "2"])])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /events"])
  }

  // MARK: slices

  private static let slices =
    "param: since, until_param: until, start: 2024-01-01, end: 2024-01-25, slice: 10d, format: yyyy-MM-dd"

  @Test func `slices share their borders, and the last one ends at the end`() throws {
    let bench = try bench(Self.slices)
    let script = Script(bodies: [Self.events([#""2024-01-05""#]), Self.events([]), Self.events([#""2024-01-24""#])])
    #expect(try bench.run(script).failure == nil)
    #expect(
      script.lines == [
        "GET /events?since=2024-01-01&until=2024-01-11", "GET /events?since=2024-01-11&until=2024-01-21",
        "GET /events?since=2024-01-21&until=2024-01-25",
      ])
    let next = Script(bodies: [Self.events([])])
    #expect(try bench.run(next).failure == nil)
    #expect(next.lines == ["GET /events?since=2024-01-24&until=2024-01-25"])
  }

  @Test func `slices of a run that failed go on at the one that is missing`() throws {
    let bench = try bench(Self.slices)
    _ = try bench.run(Script([.ok(Self.events([#""2024-01-05""#])), .status(400)]))
    let script = Script(bodies: [Self.events([]), Self.events([])])
    #expect(try bench.run(script).failure == nil)
    #expect(
      script.lines == [
        "GET /events?since=2024-01-11&until=2024-01-21", "GET /events?since=2024-01-21&until=2024-01-25",
      ])
  }

  @Test func `a slice that is partial is the last one`() throws {
    let bench = try bench(Self.slices, endpoint: ", errors: [{status: 404, action: ignore}]")
    let script = Script([.ok(Self.events([#""2024-01-05""#])), .status(404)])
    let run = try bench.run(script)
    #expect(run.failure == nil)
    #expect(script.lines.count == 2)
    #expect(try bench.rows("SELECT value FROM _ingest_state WHERE name = 'cursor'") == ["t 2024-01-05 00:00:00"])
  }
}
