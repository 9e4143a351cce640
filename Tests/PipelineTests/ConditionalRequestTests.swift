import Diagnostics
import Fetch
import MappingLanguage
import Pipeline
import Testing

/// `cache`, `ETag`, `Last-Modified`: when stored rows serve.
struct ConditionalRequestTests {
  private func bench(_ more: String = "", record: String = "") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      variables: {q: a}
      records: {Item: {table: items, key: id, fields: [{id: {type: integer}}]\(record)}}
      endpoints: {items: {path: /items, records: {items: Item}, params: {q: "${q}"}\(more)}}
      """)
  }

  private static let tagged = Script.Answer.status(
    200, #"{"items": [{"id": 1}]}"#, headers: [HTTPHeader("ETag", "W/\"a\""), HTTPHeader("Last-Modified", "x")])

  private func condition(_ request: HTTPRequest?) -> [String] {
    request?.headers.filter { $0.name.hasPrefix("If-") }.map { "\($0.name): \($0.value)" } ?? []
  }

  @Test func `both validators are sent back as they came, and a 304 changes nothing`() throws {
    let bench = try bench(record: ", sweep: true")
    _ = try bench.run(Script([Self.tagged]))
    for _ in 1...2 {
      let script = Script([.status(304)])
      let run = try bench.run(script)
      #expect(run.failure == nil)
      #expect(run.warnings.isEmpty)
      #expect(condition(script.requests.first) == ["If-None-Match: W/\"a\"", "If-Modified-Since: x"])
      #expect(try bench.rows("SELECT id FROM items") == ["1"])
    }
  }

  @Test func `a 304 that nobody asked for is an error`() throws {
    let run = try bench().run(Script([.status(304)]))
    #expect(run.failure?.message.contains("answered 304: 'not modified', but no condition was sent") == true)
  }

  @Test(arguments: ["", "rejects", "mapping", "full"])
  func `nothing is asked conditionally that may have changed otherwise`(_ what: String) throws {
    let bench = try bench()
    let body = what == "rejects" ? #"{"items": [{"id": 1}, {"id": "x"}]}"# : #"{"items": [{"id": 1}]}"#
    _ = try bench.run(Script([.status(200, body, headers: [HTTPHeader("ETag", "\"a\"")])]))
    let script = Script([Self.tagged])
    let later = what == "mapping" ? try self.bench(record: ", track: true") : bench
    let next = what == "mapping" ? try Bench(yaml(later), on: bench) : bench
    _ = try next.run(script, options: WalkOptions(isFull: what == "full"))
    #expect(condition(script.requests.first) == (what.isEmpty ? ["If-None-Match: \"a\""] : []))
  }

  private func yaml(_ bench: Bench) -> String {
    bench.mapping.files.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  }

  @Test func `a walk that rejected something is asked again within its time to live`() throws {
    let bench = try bench(", cache: {ttl: 1h}")
    let rejecting = Script(bodies: [#"{"items": [{"id": "x"}]}"#])
    _ = try bench.run(rejecting)
    let script = Script(bodies: [#"{"items": [{"id": 1}]}"#])
    _ = try bench.run(script)
    #expect(script.requests.count == 1)
    let none = Script([])
    #expect(try bench.run(none).failure == nil)
    #expect(none.requests.isEmpty)
  }

  @Test func `stored rows serve for their time to live and no longer`() throws {
    let bench = try bench(", cache: {ttl: 1h}")
    _ = try bench.run(Script(bodies: [#"{"items": [{"id": 1}]}"#]))
    for (seconds, count) in [(3599, 0), (3600, 1)] {
      let clock = ManualClock()
      clock.sleep(.seconds(seconds))
      let script = Script(bodies: [#"{"items": [{"id": 1}]}"#])
      _ = try bench.run(script, clock: clock)
      #expect(script.requests.count == count)
    }
  }

  @Test(arguments: [
    ("{by: link_header}", true), ("{by: page, param: p, start: 1, total: $response.headers.x-total}", true),
    ("{by: cursor, param: p, from: $response.headers.x-next}", true), ("{by: cursor, param: p, from: next}", false),
  ])
  func `what says of further pages in headers is never asked conditionally`(_ paging: String, _ isHeader: Bool) throws {
    let bench = try bench(", paginate: \(paging)")
    let answer = Script.Answer.status(
      200, #"{"items": [{"id": 1}]}"#, headers: [HTTPHeader("ETag", "\"a\""), HTTPHeader("X-Total", "1")])
    _ = try bench.run(Script([answer]))
    let script = Script([answer])
    _ = try bench.run(script)
    #expect(condition(script.requests.first) == (isHeader ? [] : ["If-None-Match: \"a\""]))
  }

  @Test(arguments: ["", ", cache: {ttl: 1h}"])
  func `a table that was dropped is filled again`(_ cache: String) throws {
    let bench = try bench(cache)
    _ = try bench.run(Script([Self.tagged]))
    try bench.change("DROP TABLE items")
    let script = Script([Self.tagged])
    #expect(try bench.run(script).failure == nil)
    #expect(condition(script.requests.first).isEmpty)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
  }
}
