import Fetch
import Pipeline
import Testing

/// A walk that was cut and adds rows, whatever is stored: none is doubled where that can be helped, and else it is said.
struct AppendResumeTests {
  private static func yaml(_ paging: String, write: String = "write: append, fields: {m: {type: integer}}") -> String {
    """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
    records: {Log: {table: logs, \(write)}}
    endpoints: {logs: {path: /logs, records: {rows: Log}, paginate: \(paging)}}
    """
  }

  private static let cursor = "{by: cursor, param: p, from: next}"
  private static let changed = "{by: cursor, param: q, from: next}"
  private static let keyed = "key: m, fields: {m: {type: integer}}"

  private static func page(_ numbers: Int..., next: String? = nil) -> Script.Answer {
    let rows = numbers.map { "{\"m\": \($0)}" }.joined(separator: ", ")
    return .ok("{\"rows\": [\(rows)]\(next.map { ", \"next\": \"\($0)\"" } ?? "")}")
  }

  private static let cut = Script.Answer.failure(FetchError(.interrupted, "cut"))

  @Test(arguments: [("{by: page, param: p, start: 1}", "3"), ("{by: offset, param: p}", "4")])
  func `pages and offsets go on at the page that is missing`(_ paging: String, _ next: String) throws {
    let bench = try Bench(Self.yaml(paging))
    _ = try bench.run(Script([Self.page(1, 2), Self.page(3, 4), Self.cut]))
    let script = Script([Self.page(5), Self.page()])
    let run = try bench.run(script)
    #expect(run.failure == nil)
    #expect(script.lines.first == "GET /logs?p=\(next)")
    #expect(try bench.rows("SELECT m FROM logs ORDER BY m") == ["1", "2", "3", "4", "5"])
  }

  /// The first of a cut walk's two pages and a half is stored in vain.
  private func bench(_ write: String? = nil) throws -> Bench {
    let bench = try write.map { try Bench(Self.yaml(Self.cursor, write: $0)) } ?? Bench(Self.yaml(Self.cursor))
    _ = try bench.run(Script([Self.page(1, next: "a"), Self.page(2, next: "b"), Self.cut]))
    return bench
  }

  private static let twice = "rows of 'Log' that the cut walk stored stay, and come again: 2 pages stored twice"

  @Test(arguments: ["mapping", "day", "full", "cursor"])
  func `rows that come again are said to`(_ reason: String) throws {
    let first = try bench()
    let bench = reason == "mapping" ? try Bench(Self.yaml(Self.changed), on: first) : first
    let clock = ManualClock()
    if reason == "day" { clock.sleep(.seconds(24 * 3600)) }
    let anew = [Self.page(1, next: "a"), Self.page(2)]
    let run = try bench.run(
      Script(reason == "cursor" ? [.status(410)] + anew : anew), clock: clock,
      options: WalkOptions(isFull: reason == "full"))
    #expect(run.failure == nil)
    #expect(run.warnings.filter { $0.contains(Self.twice) }.count == 1)
    #expect(try bench.rows("SELECT m FROM logs ORDER BY m") == ["1", "1", "2", "2"])
  }

  @Test func `of rows with a key it is only noted that a changed mapping begins anew`() throws {
    let first = try bench(Self.keyed)
    let run = try Bench(Self.yaml(Self.changed, write: Self.keyed), on: first).run(Script([Self.page(1)]))
    #expect(run.warnings.isEmpty)
    #expect(
      run.messages.contains {
        $0.level == .info
          && $0.text
            == "endpoint 'logs': a walk that was cut is not continued, the mapping has changed since "
            + "('endpoints.logs.paginate'): it begins anew"
      })
  }

  @Test func `a walk that contradicts itself says what the next run stores again`() throws {
    let bench = try Bench(Self.yaml(Self.cursor))
    let run = try bench.run(Script([Self.page(1, next: "a"), Self.page(2, next: "a")]))
    #expect(run.failure?.message.contains("came before") == true)
    #expect(
      run.warnings == [
        "endpoint 'logs': rows of 'Log' from 2 pages stay, and the next run stores them again (write: append)"
      ])
  }

  // MARK: the first request of a continued walk

  @Test(arguments: [401, 408, 425, 429, 500, 502, 503, 504])
  func `an answer that says nothing of the position leaves the walk where it is`(_ status: Int) throws {
    let bench = try bench()
    let failing = Script([.status(status)])
    #expect(try bench.run(failing).failure != nil)
    #expect(failing.lines == ["GET /logs?p=b"])
    let script = Script([Self.page(3)])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /logs?p=b"])
    #expect(try bench.rows("SELECT m FROM logs ORDER BY m") == ["1", "2", "3"])
  }

  @Test func `a wait that is too long leaves the walk where it is`() throws {
    let bench = try bench()
    let run = try bench.run(Script([.status(429, "", headers: [HTTPHeader("Retry-After", "500")])]))
    #expect(run.failure?.message.contains("429") == true)
    let script = Script([Self.page(3)])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /logs?p=b"])
  }
}
