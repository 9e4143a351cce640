import Fetch
import Pipeline
import Testing

/// What a store refuses in the middle of a large body, which is written while the rest is mapped.
struct FailedWriteTests {
  private static func items(_ numbers: Range<Int>) -> String {
    "{\"items\": [\(numbers.map { "{\"id\": \($0), \"tags\": [1, 2]}" }.joined(separator: ","))]}"
  }

  @Test(arguments: ["ABORT", "ROLLBACK", "FAIL"], 0..<4)
  func `nothing of the body is kept, and the next one is whole`(_ action: String, _ turn: Int) throws {
    let bench = try Bench.items()
    try bench.load(Self.items(0..<2))
    let before = try bench.contents()
    let refused = 7_000 + turn * 3_000
    try bench.change(
      "CREATE TRIGGER no BEFORE INSERT ON items WHEN new.id = \(refused) BEGIN SELECT RAISE(\(action), 'no'); END")
    let failed = try bench.load(Self.items(2..<30_000))
    #expect(failed.failure != nil && failed.counts.isEmpty)
    #expect(try bench.contents() == before)
    try bench.change("DROP TRIGGER no")
    let whole = try bench.load(Self.items(2..<30_000))
    #expect(whole.counts == ["Item: 29998 = 29998 inserted", "Item.tags: 59996 = 59996 inserted"])
    #expect(try bench.rows("SELECT count(*), min(id), max(id) FROM items") == ["30000|0|29999"])
    #expect(try bench.faults().isEmpty)
  }

  private static func session(_ format: String = "json") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      records:
        Bad: {table: bad, key: id, fields: {id: {type: integer}}}
        Good: {table: good, key: id, fields: {id: {type: integer}}}
      endpoints:
        bad: {path: /bad, on_failure: continue, format: \(format), records: {\(format == "json" ? "items" : "."): Bad}}
        good: {path: /good, on_failure: continue, records: {items: Good}}
      """)
  }

  private static let trigger =
    "CREATE TRIGGER no BEFORE INSERT ON bad WHEN new.id = 9000 BEGIN SELECT RAISE(ABORT, 'no'); END"

  @Test func `a session goes on with the next endpoint behind one that failed`() throws {
    let bench = try Self.session()
    try bench.run(Script(bodies: [#"{"items": [{"id": 1}]}"#, #"{"items": [{"id": 1}]}"#]))
    try bench.change(Self.trigger)
    let run = try bench.run(Script(bodies: [Self.items(0..<30_000), Self.items(0..<30_000)]))
    #expect(run.failure != nil)
    #expect(run.counts.contains("Good: 30000 = 29999 inserted + 1 unchanged"))
    #expect(try bench.rows("SELECT (SELECT count(*) FROM bad), (SELECT count(*) FROM good)") == ["1|30000"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `lines that were undone count nowhere`() throws {
    let bench = try Self.session("ndjson")
    let answer = { (text: String) in
      Script.Answer.status(200, text, headers: [HTTPHeader("Content-Type", "application/x-ndjson")])
    }
    try bench.run(Script([answer("{\"id\": 1}\n"), .ok(#"{"items": [{"id": 1}]}"#)]))
    try bench.change(Self.trigger)
    let lines = (8_990..<9_010).map { "{\"id\": \($0)}\n" }.joined()
    let run = try bench.run(Script([answer(lines), .ok(Self.items(0..<10))]))
    #expect(run.failure != nil)
    #expect(run.counts == ["Good: 10 = 9 inserted + 1 unchanged"])
    #expect(try bench.faults().isEmpty)
  }
}
