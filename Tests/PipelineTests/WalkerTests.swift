import Fetch
import Pipeline
import Testing

/// Pages of a scripted API: what is asked, what is stored, how the walk ends.
struct WalkerTests {
  private func bench(_ endpoint: String, source: String = "", top: String = "[]") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test/v1/", \(source)}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, \(endpoint)}}
      errors: \(top)
      """)
  }

  private static func page(_ ids: [Int], _ more: String = "") -> String {
    let items = ids.map { "{\"id\": \($0)}" }.joined(separator: ", ")
    return "{\"items\": [\(items)]\(more.isEmpty ? "" : ", ")\(more)}"
  }

  // MARK: when a walk ends

  struct Pages: Sendable, CustomTestStringConvertible {
    var rules: String
    var bodies: [String]
    /// Requests that are made; how the walk ends otherwise.
    var requests: Int
    var failure: String?
    var warning: String?

    var testDescription: String { "\(rules) over \(bodies.count) pages" }
  }

  @Test(arguments: [
    Pages(rules: "", bodies: [page([1, 2]), page([3]), page([])], requests: 3),
    Pages(rules: "", bodies: [page([])], requests: 1),
    Pages(rules: "", bodies: [page([1]), "[]"], requests: 2),
    Pages(rules: "", bodies: [page([1]), #"{"items": null}"#], requests: 2),
    Pages(rules: "stop_when: short, size: 2", bodies: [page([1, 2]), page([3])], requests: 2),
    Pages(rules: "stop_when: short, size: 2", bodies: [page([1, 2]), page([3, 4]), page([])], requests: 3),
    Pages(rules: "has_more: more", bodies: [page([1], #""more": true"#), page([2], #""more": false"#)], requests: 2),
    Pages(rules: "has_more: more", bodies: [page([1], #""more": true"#), page([2])], requests: 2),
    Pages(
      rules: "has_more: more",
      bodies: [page([1], #""more": true"#), page([], #""more": true"#), page([2], #""more": null"#)], requests: 3),
    // What is neither true nor false may mean either.
    Pages(
      rules: "has_more: more", bodies: [page([1], #""more": "true""#), page([2])], requests: 1,
      failure: "'has_more: more' has to lead to true or false, and it is a text: "),
    Pages(rules: "has_more: more", bodies: [page([1], #""more": 1"#)], requests: 1, failure: "it is a number"),
    Pages(rules: "has_more: more", bodies: [page([1], #""more": {}"#)], requests: 1, failure: "it is an object"),
    Pages(
      rules: "has_more: 'm[0]'", bodies: [page([1], #""m": 3"#)], requests: 1, failure: "a number stands on the way"),
    // Counts that cannot be used are named once.
    Pages(
      rules: "total: n", bodies: [page([1], #""n": "six""#), page([2], #""n": "six""#), page([])], requests: 3,
      warning: "'total' is no number at 'n': it is a text that is no whole number; the walk goes on without it"),
    Pages(
      rules: "total_pages: n", bodies: [page([1], #""n": null"#), page([2], #""n": null"#), page([])], requests: 3,
      warning: "'total_pages' is no number at 'n': it is null"),
    Pages(rules: "total: n", bodies: [page([1], #""n": -1"#), page([])], requests: 2, warning: "it is below zero"),
    Pages(rules: "total: n", bodies: [page([1], #""n": [1]"#), page([])], requests: 2, warning: "it is an array"),
    Pages(rules: "total: n", bodies: [page([1], #""n": 2.0"#), page([2], #""n": "2""#)], requests: 2),
    Pages(rules: "total_pages: pages", bodies: [page([1], #""pages": 2"#), page([2], #""pages": 2"#)], requests: 2),
    Pages(
      rules: "total_pages: pages", bodies: [page([1], #""pages": "2""#), page([2], #""pages": "2""#)], requests: 2),
    Pages(
      rules: "total_pages: pages",
      bodies: [page([1], #""pages": 3"#), page([], #""pages": 3"#), page([2], #""pages": 3"#)], requests: 3),
    Pages(rules: "total_pages: pages", bodies: [page([], #""pages": 0"#)], requests: 1),
    Pages(rules: "total: n", bodies: [page([1, 2], #""n": 3"#), page([3], #""n": 3"#)], requests: 2),
    Pages(rules: "total: n", bodies: [page([], #""n": 0"#)], requests: 1),
    Pages(
      rules: "total: n", bodies: [page([1], #""n": 2"#), page([], #""n": 2"#), page([2], #""n": 2"#)], requests: 3),
    Pages(
      rules: "total: n", bodies: [page([1], #""n": 3"#), page([], #""n": 3"#), page([], #""n":  3"#)], requests: 3,
      failure: "the API declares 3 records, 1 came"),
    Pages(rules: "total: n", bodies: [page([1]), page([])], requests: 2),
    Pages(
      rules: "stop_when: {last: true}", bodies: [page([1], #""last": false"#), page([2], #""last": true"#)], requests: 2
    ),
    Pages(rules: "stop_when: {last: true}", bodies: [page([1]), page([])], requests: 2),
    Pages(
      rules: "max_pages: 2", bodies: [page([1]), page([2]), page([3])], requests: 2, warning: "it ends at 2 pages"),
    Pages(rules: "max_pages: 2", bodies: [page([1]), page([])], requests: 2),
    Pages(rules: "max_pages: 1, total: n", bodies: [page([1], #""n": 1"#)], requests: 1),
    Pages(
      rules: "", bodies: [page([1]), page([2]), page([1])], requests: 3,
      failure: "gave the same body as a page before"),
    Pages(rules: "", bodies: [page([1]), page([2]), "{}"], requests: 3),
  ])
  func `a walk ends by its rules`(_ test: Pages) throws {
    let bench = try bench("paginate: {by: page, param: page, start: 1, \(test.rules)}")
    let script = Script(bodies: test.bodies)
    let run = try bench.run(script)
    #expect(script.requests.count == test.requests)
    #expect(script.lines == (1...max(test.requests, 1)).map { "GET /v1/items?page=\($0)" })
    if let failure = test.failure {
      #expect(run.failure?.kind == .failed && run.failure?.message.contains(failure) == true)
    } else {
      #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    }
    #expect(run.warnings.count == (test.warning == nil ? 0 : 1))
    if let warning = test.warning { #expect(run.warnings.first?.contains(warning) == true) }
    // What came before an end of whatever kind stays.
    let ids = Set(test.bodies.prefix(test.requests).flatMap { $0.matches(of: /"id": (\d+)/).map { String($0.1) } })
    #expect(Set(try bench.rows("SELECT id FROM items")) == ids)
    #expect(try bench.faults().isEmpty)
  }

  @Test func `pages are counted from start by step, the size goes before`() throws {
    let script = Script(bodies: [Self.page([1]), Self.page([2]), Self.page([])])
    try bench("paginate: {by: page, param: p, start: 0, step: 10, size_param: n, size: 5}, params: {q: x}").run(script)
    #expect(script.lines == ["GET /v1/items?q=x&n=5&p=0", "GET /v1/items?q=x&n=5&p=10", "GET /v1/items?q=x&n=5&p=20"])
  }

  @Test func `more pages than the source's limit are an error that names it`() throws {
    let script = Script(bodies: (0..<9).map { Self.page([$0]) })
    let bench = try bench("paginate: {by: page, param: p, start: 0}", source: "limits: {pages: 3}")
    let run = try bench.run(script)
    #expect(script.requests.count == 3)
    #expect(run.failure?.kind == .failed && run.failure?.message.contains("(limits.pages)") == true)
    #expect(run.failure?.message.contains("GET https://") == true, "it says where")
    #expect(run.failure?.message.contains("max_pages") == false)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["3"])
    let whole = Script(bodies: [Self.page([1]), Self.page([2]), Self.page([])])
    #expect(try bench.run(whole).failure == nil, "a walk of so many pages is fine")
  }

  @Test func `a member that paging reads and that stands twice is an error of the body`() throws {
    let bench = try bench("paginate: {by: page, param: p, start: 0, has_more: m.more}")
    let run = try bench.run(Script(bodies: [#"{"m": {"more": true}, "m": {"more": false}, "items": [{"id": 1}]}"#]))
    #expect(run.failure != nil)
    #expect(try bench.rows("SELECT code FROM _ingest_errors") == ["duplicate-member"])
    #expect(try bench.rows("SELECT id FROM items").isEmpty)
  }

  @Test func `a request's URL is shown without its method`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {key: id, track: true, fields: {id: {type: integer}, url: $request.url}}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """)
    let script = Script(bodies: [#"{"items": [{"id": 1}, {"id": "x"}]}"#])
    try bench.run(script)
    let url = "https://api.example.test/items"
    #expect(try bench.rows("SELECT url, _source_url FROM item") == ["\(url)|\(url)"])
    #expect(
      try bench.rows("SELECT source, context FROM _ingest_rejects") == [#"\#(url)|{"$request.url":"\#(url)"}"#])
  }

  @Test func `the last try of a rule that retries is no retry, and a notice of a retry has its colon`() throws {
    let bench = try bench("", source: "retry: {attempts: 2, backoff: constant}", top: "[{status: 404, action: retry}]")
    try bench.run(Script([.status(404), .status(404)]))
    #expect(try bench.rows("SELECT attempt, action FROM _ingest_errors ORDER BY rowid") == ["1|retry", "2|fail"])
    let run = try bench.run(Script([.failure(FetchError(.dropped, "h broke off")), .ok(Self.page([1]))]))
    let notice = run.messages.first { $0.level == .info }?.text
    #expect(notice?.contains("GET https://api.example.test/v1/items: h broke off; next try in ") == true)
  }

  @Test(arguments: [204, 205])
  func `an answer without content is a success without rows`(_ status: Int) throws {
    let bench = try bench("paginate: {by: page, param: p, start: 0}")
    let script = Script([.ok(Self.page([1])), .status(status)])
    #expect(try bench.run(script).failure == nil)
    #expect(script.requests.count == 2)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["0"])
  }

  @Test func `without paging there is one request`() throws {
    let script = Script(bodies: [Self.page([1]), Self.page([2])])
    #expect(try bench("").run(script).counts == ["Item: 1 = 1 inserted"])
    #expect(script.lines == ["GET /v1/items"])
  }

  // MARK: errors

  @Test func `a 404 is an error, never the end of the pages`() throws {
    let bench = try bench("paginate: {by: page, param: p, start: 0}", top: "[{status: 4xx, message: message}]")
    let script = Script([.ok(Self.page([1])), .status(404, #"{"message": "no such page", "items": []}"#)])
    let run = try bench.run(script)
    #expect(
      run.failure?.message.hasSuffix("GET https://api.example.test/v1/items?p=1 answered 404: no such page") == true)
    #expect(
      try bench.rows("SELECT status, message, action, attempt, method, url FROM _ingest_errors") == [
        "404|no such page|fail|1|GET|https://api.example.test/v1/items?p=1"
      ])
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["failed"])
    #expect(run.failure?.isContinued == true)
  }

  @Test func `nothing is said of going on where nothing is kept`() throws {
    let answers: [Script.Answer] = [.ok(Self.page([1])), .status(500, "")]
    let paging = "paginate: {by: page, param: p, start: 0}"
    let once = "retry: {attempts: 1}"
    #expect(try bench(paging, source: once).run(Script([.status(500, "")])).failure?.isContinued == false)
    #expect(try bench(paging, source: once).run(Script(answers)).failure?.isContinued == true)
    let circle = Script([.ok(Self.page([1])), .ok(Self.page([1]))])
    #expect(try bench(paging, source: once).run(circle).failure?.isContinued == false)
  }

  @Test(arguments: [
    (401, "; the mapping gives no credential ('auth'): does the API want one?"),
    (403, "; the API may want a credential ('auth')"),
    (404, "; look at 'base_url' and 'path'"), (410, "answered 410; the body begins: no"),
  ])
  func `a status without a rule says what may be done`(_ status: Int, _ ending: String) throws {
    let run = try bench("").run(Script([.status(status, "no")]))
    #expect(run.failure?.message.hasSuffix(ending) == true, "\(run.failure?.message ?? "")")
  }

  @Test func `a column of others that wants a value is named, and the answer is not blamed`() throws {
    let bench = try bench("")
    #expect(try bench.run(Script([.ok(Self.page([1]))])).failure == nil)
    try bench.change("ALTER TABLE items RENAME TO old")
    try bench.change("CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, owner TEXT NOT NULL) STRICT")
    let message = try #require(try bench.run(Script([.ok(Self.page([2]))])).failure?.message)
    #expect(message.contains("/v1/items cannot be stored: '"), "\(message)")
    #expect(message.contains("without a value in items.owner"), "\(message)")
  }

  @Test func `a failure that passes is tried again, each try is kept`() throws {
    let bench = try bench("", source: "retry: {attempts: 4, backoff: constant, wait: 2s}")
    let clock = ManualClock()
    let script = Script([
      .status(503, "busy"), .failure(FetchError(.timeout, "no answer within 30 s")),
      .status(429, "", headers: [HTTPHeader("Retry-After", "7")]), .ok(Self.page([1])),
    ])
    let run = try bench.run(script, clock: clock)
    #expect(run.failure == nil && run.counts == ["Item: 1 = 1 inserted"])
    #expect(script.requests.count == 4)
    #expect(
      try bench.rows("SELECT attempt, status, action, message FROM _ingest_errors ORDER BY rowid") == [
        "1|503|retry|null", "2|null|retry|no answer within 30 s", "3|429|retry|null",
      ])
    #expect(clock.sleeps.count == 3 && clock.sleeps[2] == .seconds(7))
    #expect(clock.sleeps[..<2].allSatisfy { $0 >= .seconds(2) && $0 <= .milliseconds(2500) })
    #expect(run.messages.filter { $0.level == .info }.count == 3)
  }

  @Test func `tries are used up, and the last one fails the run`() throws {
    let bench = try bench("", source: "retry: {attempts: 2, backoff: constant, wait: 1s}")
    let run = try bench.run(Script([.status(500, "a"), .status(502, "b"), .ok(Self.page([1]))]))
    #expect(run.failure?.message.contains("answered 502; the body begins: b (tried 2 times)") == true)
    #expect(
      try bench.rows("SELECT attempt, status, action, excerpt FROM _ingest_errors ORDER BY rowid") == [
        "1|500|retry|a", "2|502|fail|b",
      ])
  }

  @Test func `no answer at all fails the run with its reason`() throws {
    let bench = try bench("", source: "retry: {attempts: 1}")
    let run = try bench.run(Script([.failure(FetchError(.connect, "connection refused"))]))
    #expect(run.failure?.message.contains("GET https://api.example.test/v1/items: connection refused") == true)
    #expect(try bench.rows("SELECT code, message, status FROM _ingest_errors") == ["connect|connection refused|null"])
  }

  @Test(arguments: [
    ("ignore", 1, nil, "partial"), ("stop", 1, nil, ""), ("fail", 1, "answered 503", ""),
    ("retry", 5, "tried 5 times", ""),
  ])
  func `an action decides over the table`(_ action: String, _ tries: Int, _ failure: String?, _ warning: String) throws
  {
    let bench = try bench(
      "paginate: {by: page, param: p, start: 0}", source: "retry: {backoff: constant}",
      top: "[{status: 503, action: \(action)}]")
    let script = Script([.ok(Self.page([1]))] + (0..<9).map { _ in .status(503) })
    let run = try bench.run(script)
    #expect(script.requests.count == 1 + tries)
    #expect((run.failure == nil) == (failure == nil))
    if let failure { #expect(run.failure?.message.contains(failure) == true) }
    #expect(run.warnings.contains { $0.contains("partial") } == !warning.isEmpty)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
  }

  @Test func `a rule's own wait is waited`() throws {
    let clock = ManualClock()
    let top = "[{when: {ok: false}, action: retry, wait: {key_path: wait, default: 9s}}]"
    let script = Script([.ok(#"{"ok": false, "wait": 4}"#), .ok(#"{"ok": false}"#), .ok(Self.page([1]))])
    #expect(try bench("", top: top).run(script, clock: clock).failure == nil)
    #expect(clock.sleeps == [.seconds(4), .seconds(9)])
  }

  @Test(arguments: [
    ("text/html", "<html>", "text/html"), ("application/json; charset=utf-8", "{\"items\": [{\"id\": 1}]}", nil),
    ("application/problem+json", "{\"items\": [{\"id\": 1}]}", nil), ("application/json", "<html>", "line 1"),
    ("application/x-ndjson", "{\"items\": {\"id\": 1}}\n{\"items\": {\"id\": 2}}\n", nil),
  ])
  func `an answer of another type is an error that names it`(_ type: String, _ body: String, _ failure: String?) throws
  {
    let bench = try bench("")
    let run = try bench.run(Script([.status(200, body, headers: [HTTPHeader("Content-Type", type)])]))
    #expect(run.failure?.message.contains(failure ?? "-") == (failure == nil ? nil : true))
    if failure != nil {
      #expect(run.failure?.message.contains(" answered 200: ") == true)
      #expect(run.failure?.message.hasSuffix("; the body begins: \(body)") == true)
      #expect(try bench.rows("SELECT status, excerpt FROM _ingest_errors") == ["200|\(body)"])
    }
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == [failure == nil ? "0" : "1"])
  }

  @Test func `a page that fails leaves the pages before it, and ends the walk`() throws {
    let bench = try bench("paginate: {by: page, param: p, start: 0}")
    let script = Script(bodies: [Self.page([1]), #"{"items": [{"id": 2}, {"id": 3]}"#, Self.page([4])])
    let run = try bench.run(script)
    #expect(run.failure != nil && script.requests.count == 2)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
    #expect(try bench.rows("SELECT code FROM _ingest_errors") == ["syntax"])
  }

  @Test func `endpoints are walked in the order written, those that are fetched or named`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {key: id, fields: [id]}}
      endpoints:
        b: {path: /b, records: {items: Item}}
        hidden: {path: /hidden, fetch: false, records: {items: Item}}
        a: {path: /a, records: {items: Item}}
      """)
    func lines(_ names: [String]?) throws -> [String] {
      let script = Script(bodies: [Self.page([1]), Self.page([2])])
      try bench.run(script, endpoints: names)
      return script.lines
    }
    #expect(try lines(nil) == ["GET /b", "GET /a"])
    #expect(try lines(["a"]) == ["GET /a"])
    #expect(try lines(["a", "b"]) == ["GET /b", "GET /a"])
    #expect(try bench.run(Script([]), endpoints: ["none"]).failure?.kind == .refused)
  }

  @Test func `two requests a minute are a minute apart`() throws {
    let clock = ManualClock()
    let script = Script(bodies: [Self.page([1]), Self.page([2]), Self.page([])])
    try bench("paginate: {by: page, param: p, start: 0}", source: "rate_limit: 1/min").run(script, clock: clock)
    #expect(clock.sleeps == [.seconds(60), .seconds(60)])
  }
}
