import Fetch
import Pipeline
import Testing

/// Key paths of `paginate` that no answer has.
struct AbsentPagingTests {
  private static func bench(_ paging: String, record: String = ", sweep: {max_delete: 100%}") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}, at: {type: timestamp}}\(record)}}
      endpoints: {items: {path: /items, records: {items: Item}, paginate: {\(paging)}}}
      """)
  }

  private static func body(_ ids: [Int], _ more: String = "") -> String {
    let items = ids.map { "{\"id\": \($0), \"at\": \"2015-07-01T00:00:0\($0)Z\"}" }
    return "{\"items\": [\(items.joined(separator: ", "))]\(more.isEmpty ? "" : ", ")\(more)}"
  }

  private static func told(_ run: Bench.Run) -> [Message] { run.messages.filter { $0.text.contains("is not there") } }

  @Test(arguments: [
    ("by: cursor, param: c, from: p.next, has_more: p.more", #""p": {"next": "b", "hasMore": true}"#, "'p.next'"),
    ("by: next_url, from: next, has_more: more", #""next": "/items?page=2""#, "'next'"),
  ])
  func `a next page that is named where has_more is missing makes the walk partial`(
    _ paging: String, _ answer: String, _ named: String
  ) throws {
    let bench = try Self.bench(paging)
    _ = try bench.run(Script(bodies: [Self.body([1, 2, 3], #""p": {"more": false}, "more": false"#)]))
    let run = try bench.run(Script(bodies: [Self.body([1], answer)]))
    #expect(run.failure == nil)
    let contradiction = "(has_more) is not there, and \(named) names a next page"
    #expect(run.warnings.contains { $0.contains(contradiction) }, "\(run.warnings)")
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2", "3"])
  }

  @Test func `what the message names in place of has_more ends the walk as complete`() throws {
    let bench = try Self.bench("by: cursor, param: c, from: p.next, stop_when: {p.more: {not: true}}")
    _ = try bench.run(Script(bodies: [Self.body([1, 2, 3])]))
    let script = Script(bodies: [
      Self.body([1], #""p": {"next": "b", "more": true}"#), Self.body([2], #""p": {"next": "c"}"#),
    ])
    let run = try bench.run(script)
    #expect(Self.told(run).isEmpty)
    #expect(script.lines == ["GET /items", "GET /items?c=b"])
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
  }

  /// A null is an answer: the key path is right.
  @Test(arguments: [#""p": {"next": null, "more": null}"#, #""p": {"next": "b", "more": null}"#])
  func `a has_more that is null or false is the end`(_ answer: String) throws {
    let bench = try Self.bench("by: cursor, param: c, from: p.next, has_more: p.more")
    #expect(try Self.told(bench.run(Script(bodies: [Self.body([1], answer)]))).isEmpty)
  }

  /// Nothing tells such an API from a mistake, and the language says that a missing cursor ends a walk.
  @Test(arguments: [true, false])
  func `a cursor that no page has is told, once for the endpoint`(_ sweeps: Bool) throws {
    for (paging, path) in [
      ("by: cursor, param: c, from: p.next", "'p.next' (from)"), ("by: next_url, from: p.next", "'p.next' (from)"),
      ("by: page, param: n, start: 1, has_more: p.more", "'p.more' (has_more)"),
    ] {
      let bench = try Self.bench(paging, record: sweeps ? ", sweep: {max_delete: 100%}" : "")
      let run = try bench.run(Script(bodies: [Self.body([1, 2, 3])]))
      let told = run.messages.filter { $0.text.contains("\(path) is not there, so the walk ends with its first page") }
      #expect(told.map(\.level) == [sweeps ? .warning : .info], "\(paging): \(run.messages)")
      let (said, unsaid) = ("by: cursor, param: c, from: p.next, stop_when: {p.next: null}", Self.body([1]))
      #expect(try Self.told(Self.bench(said).run(Script(bodies: [unsaid]))).isEmpty)
    }
  }

  @Test func `it is not told of a page without records, nor of later pages`() throws {
    let bench = try Self.bench("by: cursor, param: c, from: p.next")
    #expect(try Self.told(bench.run(Script(bodies: [Self.body([])]))).isEmpty)
    #expect(try Self.told(bench.run(Script(bodies: [Self.body([1], #""p": {"next": "b"}"#), Self.body([2])]))).isEmpty)
  }

  @Test func `many walks of one endpoint tell it once`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints:
        items:
          path: /items
          params: {of: "${each.of}"}
          for_each: {values: [a, b, c], bind: of}
          records: {items: Item}
          paginate: {by: cursor, param: c, from: p.next}
      """)
    let run = try bench.run(Script(bodies: [Self.body([1]), Self.body([2]), Self.body([3])]))
    #expect(Self.told(run).count == 1)
  }
}
