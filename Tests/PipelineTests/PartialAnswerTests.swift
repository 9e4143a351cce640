import Fetch
import Pipeline
import Testing

/// Walks that seem to be complete: what speaks against it is said, and nothing is removed or moved on the strength of it.
struct PartialAnswerTests {
  private static func bench(
    _ paging: String = "", record: String = ", sweep: {max_delete: 100%}", type: String = "timestamp"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}, at: {type: \(type)}}\(record)}}
      endpoints: {items: {path: /items, records: {items: Item}\(paging)}}
      """)
  }

  private static func body(_ ids: [Int], _ more: String = "") -> String {
    let items = ids.map { "{\"id\": \($0), \"at\": \"2015-07-01T00:00:0\($0 % 10)Z\"}" }
    return "{\"items\": [\(items.joined(separator: ", "))]\(more.isEmpty ? "" : ", ")\(more)}"
  }

  /// Of the second of two runs; the first stores the rows 1 to 5.
  private func second(_ bench: Bench, _ answers: [Script.Answer]) throws -> Bench.Run {
    _ = try bench.run(Script(bodies: [Self.body([1, 2, 3, 4, 5], #""more": false"#), Self.body([])]))
    return try bench.run(Script(answers))
  }

  // MARK: more is to come, but not to be had

  @Test(arguments: [
    ("by: cursor, param: c, from: next, has_more: more", "cursor"),
    ("by: next_url, from: next, has_more: more", "next URL"),
    ("by: link_header, has_more: more", "link with rel=next"),
  ])
  func `a walk without a way to what is to come is partial`(_ paging: String, _ what: String) throws {
    let bench = try Self.bench(", paginate: {\(paging)}, cache: {ttl: 1h}")
    let clock = ManualClock()
    _ = try bench.run(Script(bodies: [Self.body([1, 2], #""more": false"#)]), clock: clock)
    clock.sleep(.seconds(7200))
    let run = try bench.run(Script(bodies: [Self.body([1], #""more": true"#)]), clock: clock)
    #expect(run.failure == nil)
    #expect(run.warnings.contains { $0.hasSuffix("the answer says that more is to come, but has no \(what)") })
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
    let third = Script(bodies: [Self.body([1, 2], #""more": false"#)])
    #expect(try bench.run(third, clock: clock).failure == nil)
    #expect(third.requests.count == 1)
  }

  @Test func `such a walk moves no cursor`() throws {
    let paging =
      ", paginate: {by: cursor, param: c, from: next, has_more: more}, incremental: {column: at, param: since}"
    let bench = try Self.bench(paging, record: "")
    _ = try bench.run(Script(bodies: [Self.body([1], #""more": true"#)]))
    #expect(try bench.rows("SELECT value FROM _ingest_state WHERE name = 'cursor'").isEmpty)
    let script = Script(bodies: [Self.body([1], #""more": false"#)])
    _ = try bench.run(script)
    #expect(script.lines == ["GET /items"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_state WHERE name = 'cursor'") == ["1"])
  }

  @Test(arguments: [true, false])
  func `an empty page that names a next one is told where it matters`(_ sweeps: Bool) throws {
    let bench = try Self.bench(
      ", paginate: {by: cursor, param: c, from: next}", record: sweeps ? ", sweep: {max_delete: 100%}" : "")
    let run = try bench.run(Script(bodies: [Self.body([1], #""next": "a""#), Self.body([], #""next": "b""#)]))
    let told = run.messages.filter { $0.text.contains("the page is empty but names a next one: the walk ends here") }
    #expect(told.map(\.level) == [sweeps ? .warning : .info])
    // The one that was asked for is no next one.
    let same = try bench.run(Script(bodies: [Self.body([1], #""next": "a""#), Self.body([], #""next": "a""#)]))
    #expect(!same.messages.contains { $0.text.contains("names a next one") })
  }

  // MARK: numbers that contradict what came

  @Test(arguments: [
    ("total: n", [#""n": 1"#], "the API declares 1 records ('total'), and 2 came: there may be more"),
    ("total: n", [#""n": 2"#], nil), ("total_pages: n", [#""n": 1"#], nil),
    (
      "total_pages: n", [#""n": 0"#],
      "the API declares 0 pages ('total_pages'), and page 1 has records: there may be more"
    ),
  ])
  func `a declared number that is too small is told`(_ rule: String, _ more: [String], _ warning: String?) throws {
    let run = try Self.bench(", paginate: {by: page, param: p, start: 1, \(rule)}").run(
      Script(bodies: more.map { Self.body([1, 2], $0) }))
    #expect(run.failure == nil)
    #expect(run.warnings == (warning.map { ["endpoint 'items': GET https://api.example.test/items?p=1: \($0)"] } ?? []))
  }

  private static let skipped =
    "a page has 2 records, and the next offset is 3 further: records are skipped; leave out 'size' and 'step', or let "
    + "'size_param' ask for no more than the server gives"

  @Test func `an offset that passes over records is told, once, and the last page is no such one`() throws {
    for (rules, pages, count) in [
      ("size: 3", [[1, 2], [4, 5], [7], []], 1), ("step: 3", [[1, 2], [4, 5], []], 1),
      ("size: 3", [[1, 2, 3], [4, 5], []], 0),
      ("", [[1, 2], [3, 4], []], 0),
    ] {
      let run = try Self.bench(", paginate: {by: offset, param: o, \(rules)}").run(
        Script(bodies: pages.map { Self.body($0) }))
      #expect(run.failure == nil)
      #expect(run.warnings.filter { $0.hasSuffix(Self.skipped) }.count == count, "\(rules) \(pages)")
    }
    let declared = try Self.bench(", paginate: {by: offset, param: o, size: 3, has_more: more}").run(
      Script(bodies: [Self.body([1, 2], #""more": true"#), Self.body([], #""more": false"#)]))
    #expect(declared.warnings.filter { $0.hasSuffix(Self.skipped) }.count == 1)
  }

  // MARK: statuses of what is not the whole

  @Test(arguments: [
    ("items 0-0/5", false), ("items 1-4/5", false), ("items 0-4/*", false), ("", false), ("items 0-4/5", true),
    ("bytes 0-99/100", true),
  ])
  func `a part of the content is no complete walk`(_ range: String, _ isWhole: Bool) throws {
    let headers = range.isEmpty ? [] : [HTTPHeader("Content-Range", range)]
    let bench = try Self.bench()
    let run = try second(bench, [.status(206, Self.body([1]), headers: headers)])
    #expect(run.failure == nil)
    #expect(run.warnings.isEmpty == isWhole)
    #expect(try bench.rows("SELECT count(*) FROM items") == [isWhole ? "1" : "5"])
  }

  @Test(arguments: [("items 2-2/3", true), ("items 2-2/9", false), ("items */2", true), ("items 2-2/*", true)])
  func `of parts that are asked for one after the other the last one counts`(_ range: String, _ isWhole: Bool) throws {
    let bench = try Self.bench(", paginate: {by: page, param: p, start: 1, has_more: more}")
    let run = try second(
      bench,
      [
        .status(206, Self.body([1, 2], #""more": true"#), headers: [HTTPHeader("Content-Range", "items 0-1/3")]),
        .status(206, Self.body([3], #""more": false"#), headers: [HTTPHeader("Content-Range", range)]),
      ])
    #expect(run.failure == nil)
    #expect(run.warnings.isEmpty == isWhole)
    #expect(try bench.rows("SELECT count(*) FROM items") == [isWhole ? "3" : "5"])
  }

  @Test func `what is only accepted is still to come`() throws {
    let bench = try Self.bench()
    let run = try second(bench, [.status(202)])
    #expect(run.failure == nil)
    #expect(run.warnings.first?.contains("202 (accepted) without a body") == true)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["5"])
  }

  // MARK: cursors that lie ahead

  /// The runs' now is 2015-07-04T10:00:00Z.
  @Test(arguments: [
    ("timestamp", "2015-07-05T10:00:01Z", true), ("timestamp", "2015-07-05T09:59:59Z", false),
    ("date", "2015-07-06", true),
    ("date", "2015-07-05", false), ("text", "9999", false),
  ])
  func `a largest value that lies in the future is told by each run`(_ type: String, _ at: String, _ isTold: Bool)
    throws
  {
    let bench = try Self.bench(", incremental: {column: at, param: since}", record: "", type: type)
    for _ in 1...2 {
      let run = try bench.run(Script(bodies: ["{\"items\": [{\"id\": 1, \"at\": \"\(at)\"}]}"]))
      #expect(run.failure == nil)
      #expect(
        run.warnings.filter { $0.contains("the largest value of 'at' is \(at.prefix(10))") }.count == (isTold ? 1 : 0))
    }
    #expect(try bench.run(Script(bodies: [Self.body([])])).warnings.count == (isTold ? 1 : 0))
  }
}
