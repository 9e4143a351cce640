import Fetch
import Pipeline
import Testing

/// Walks whose pages are all stored, and whose end failed.
struct WalkEndTests {
  private static func bench(_ paging: String) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      records: {Item: {table: items, key: id, sweep: {max_delete: 30%}, fields: {id: {type: integer}, v: {type: text}}}}
      endpoints: {items: {path: /items, records: {items: Item}\(paging)}}
      """)
  }

  private static func page(_ ids: ClosedRange<Int>, _ value: String = "a") -> Script.Answer {
    .ok("{\"items\": [\(ids.map { "{\"id\": \($0), \"v\": \"\(value)\"}" }.joined(separator: ", "))]}")
  }

  private static let none = Script.Answer.ok(#"{"items": []}"#)

  @Test(arguments: ["", ", paginate: {by: page, param: p, start: 1}", ", paginate: {by: offset, param: p}"])
  func `a walk whose sweep was refused is walked again`(_ paging: String) throws {
    let bench = try Self.bench(paging)
    let end = paging.isEmpty ? [] : [Self.none]
    _ = try bench.run(Script([Self.page(1...10)] + end))
    let refused = try bench.run(Script([Self.page(1...5)] + end))
    #expect(refused.failure?.message.contains("max_delete") == true)
    #expect(try bench.rows("SELECT name FROM _ingest_state WHERE name = 'walk'").isEmpty)
    let script = Script([Self.page(1...10, "b")] + end)
    let healed = try bench.run(script)
    #expect(healed.failure == nil)
    #expect(script.requests.count == 1 + end.count)
    #expect(try bench.rows("SELECT count(*), v FROM items GROUP BY v") == ["10|b"])
    #expect(healed.warnings.isEmpty)
  }

  /// The state is that of a process that ended between the last page and the end of the walk.
  @Test(arguments: [true, false])
  func `a walk that only lacks its end is closed by the run that continues it, and by no other`(_ isCut: Bool) throws {
    let bench = try Self.bench(", paginate: {by: page, param: p, start: 1}")
    _ = try bench.run(Script([Self.page(1...3), .failure(FetchError(.interrupted, "cut"))]))
    try bench.change("UPDATE _ingest_state SET value = json_set(value, '$.ended', 'true') WHERE name = 'walk'")
    if !isCut { try bench.change("DELETE FROM _ingest_state WHERE name LIKE 'series/%'") }
    let script = Script([Self.page(1...3, "b"), Self.none])
    #expect(try bench.run(script).failure == nil)
    #expect(script.requests.count == (isCut ? 0 : 2))
    #expect(try bench.rows("SELECT DISTINCT v FROM items") == [isCut ? "a" : "b"])
    #expect(try bench.rows("SELECT name FROM _ingest_state WHERE name = 'walk'").isEmpty)
  }
}
