import Fetch
import Pipeline
import Testing

/// Walks of every kind that are cut behind each of their pages, in the database: the next run asks for the right page.
struct ResumeKindsTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var paging: String
    /// Queries of the whole walk.
    var queries: [String]
    /// What stands beside the records on each page.
    var more: [String]
    var headers: [[String: String]] = []
    /// Counted pages go on one page earlier.
    var isCounted = false
    var source = ""
    var testDescription: String { paging }

    func answers() -> [Script.Answer] {
      queries.indices.map { page in
        let ids = page == queries.count - 1 && isCounted ? "" : "{\"id\": \(page + 1)}"
        let body = "{\"items\": [\(ids)]\(more[page].isEmpty ? "" : ", ")\(more[page])}"
        let named = headers.isEmpty ? [:] : headers[page]
        return .status(200, body, headers: named.map { HTTPHeader($0.key, $0.value) })
      }
    }
  }

  static let kinds = [
    Kind(
      paging: "by: page, param: p, start: 1", queries: ["?p=1", "?p=2", "?p=3", "?p=4"], more: ["", "", "", ""],
      isCounted: true),
    Kind(
      paging: "by: offset, param: o, size_param: n, size: 1",
      queries: ["?n=1&o=0", "?n=1&o=1", "?n=1&o=2", "?n=1&o=3"],
      more: ["", "", "", ""], isCounted: true),
    Kind(
      paging: "by: cursor, param: c, from: next", queries: ["", "?c=a%2Fb", "?c=9007199254740993", "?c=c"],
      more: [#""next": "a/b""#, #""next": 9007199254740993"#, #""next": "c""#, #""next": null"#]),
    Kind(
      paging: "by: cursor, param: c, start: '*', from: next, total: n", queries: ["?c=%2A", "?c=a", "?c=b"],
      more: [#""next": "a", "n": 3"#, #""next": "b""#, #""next": "c""#]),
    Kind(
      paging: "by: last_value, param: after, from: 'items[-1].id', has_more: m", queries: ["", "?after=1", "?after=2"],
      more: [#""m": true"#, #""m": true"#, #""m": false"#]),
    Kind(
      paging: "by: next_url, from: next", queries: ["?key=plum-7f3k", "?p=2&key=plum-7f3k", "?key=plum-7f3k&p=3"],
      more: [#""next": "?p=2""#, #""next": "/items?key=plum-7f3k&p=3""#, ""],
      source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}"),
    Kind(
      paging: "by: link_header", queries: ["", "?p=2", "?p=3"], more: ["", "", ""],
      headers: [["Link": "<?p=2>; rel=next"], ["Link": "</items?p=3>; rel=next"], [:]]),
  ]

  private static func bench(_ kind: Kind) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}, \(kind.source)}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, paginate: {\(kind.paging)}}}
      """, secrets: ["KEY": "plum-7f3k"])
  }

  private static let cut = Script.Answer.failure(FetchError(.interrupted, "cut"))

  @Test(arguments: kinds)
  func `a walk that was cut behind any page goes on and ends the same`(_ kind: Kind) throws {
    let lines = kind.queries.map { "GET /items\($0)" }
    for place in 1..<lines.count {
      let bench = try Self.bench(kind)
      let one = Script(kind.answers()[..<place] + [Self.cut])
      #expect(try bench.run(one).failure?.kind == .interrupted)
      #expect(one.lines == Array(lines[...place]), "cut behind \(place)")
      let kept = try bench.rows("SELECT * FROM _ingest_state")
      #expect(!kept.isEmpty && !kept.contains { $0.contains("plum") })

      let first = kind.isCounted ? place - 1 : place
      let two = Script(Array(kind.answers()[first...]))
      let run = try bench.run(two)
      #expect(run.failure == nil, "\(run.failure?.message ?? "")")
      #expect(two.lines == Array(lines[first...]), "cut behind \(place)")
      let ids = (1...(kind.isCounted ? lines.count - 1 : lines.count)).map(String.init)
      #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ids)
      // Nothing is left to continue.
      let three = Script(kind.answers())
      #expect(try bench.run(three).failure == nil)
      #expect(three.lines == lines)
    }
  }

  @Test(arguments: kinds)
  func `a walk is cut again and again`(_ kind: Kind) throws {
    let bench = try Self.bench(kind)
    var lines: [String] = []
    var page = 0
    while page < kind.queries.count {
      let isLast = page == kind.queries.count - 1
      let first = kind.isCounted && page > 0 ? page - 1 : page
      let script = Script(Array(kind.answers()[first...page]) + (isLast ? [] : [Self.cut]))
      let run = try bench.run(script)
      #expect((run.failure == nil) == isLast, "\(run.failure?.message ?? "")")
      lines += script.lines.dropLast(isLast ? 0 : 1)
      page += 1
    }
    let whole = kind.queries.map { "GET /items\($0)" }
    #expect(lines == (kind.isCounted ? [whole[0]] + zip(whole, whole.dropFirst()).flatMap { [$0, $1] } : whole))
  }

  @Test func `a cursor that came before the cut may not come back behind it`() throws {
    let kind = Kind(paging: "by: cursor, param: c, from: next", queries: [], more: [])
    func page(_ id: Int, _ next: String) -> Script.Answer {
      .ok("{\"items\": [{\"id\": \(id)}], \"next\": \"\(next)\"}")
    }
    let bench = try Self.bench(kind)
    try bench.run(Script([page(1, "a"), page(2, "b"), Self.cut]))
    let script = Script([page(3, "a"), page(4, "c")])
    #expect(try bench.run(script).failure?.message.contains("the cursor 'a' came before: ") == true)
    #expect(script.lines == ["GET /items?c=b"])
    // A walk that contradicts itself is not continued.
    let anew = Script([.ok(#"{"items": []}"#)])
    #expect(try bench.run(anew).failure == nil)
    #expect(anew.lines == ["GET /items"])
  }

  @Test func `a page that has changed meanwhile does not stand against a later one`() throws {
    let kind = Kind(paging: "by: page, param: p, start: 1", queries: [], more: [])
    func page(_ id: Int) -> Script.Answer { .ok("{\"items\": [{\"id\": \(id)}]}") }
    let bench = try Self.bench(kind)
    try bench.run(Script([page(1), page(2), Self.cut]))
    // A row has come before: what page 2 had is on page 3 now.
    try bench.run(Script([page(9), page(2), Self.cut]))
    let script = Script([page(2), page(3), .ok(#"{"items": []}"#)])
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(script.lines == ["GET /items?p=3", "GET /items?p=4", "GET /items?p=5"])
    // What the walk has seen still stands against what comes.
    let again = try Self.bench(kind)
    try again.run(Script([page(1), page(2), page(3), Self.cut]))
    #expect(
      try again.run(Script([page(3), page(1)])).failure?.message.contains("the same body as a page before") == true)
  }

  @Test func `a cursor that holds a secret is kept nowhere, so the walk begins anew`() throws {
    let bench = try Self.bench(Kind(paging: "by: cursor, param: c, from: next", queries: [], more: []))
    let first = Script.Answer.ok(#"{"items": [{"id": 1}], "next": "x:plum-7f3k:2"}"#)
    let one = Script([first, Self.cut])
    try bench.run(one)
    #expect(one.lines == ["GET /items", "GET /items?c=x%3Aplum-7f3k%3A2"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_state WHERE value LIKE '%plum%'") == ["0"])
    let two = Script([first, .ok(#"{"items": [{"id": 2}]}"#)])
    #expect(try bench.run(two).failure == nil)
    #expect(two.lines == one.lines)
  }

  @Test func `a bound that was reached before the cut asks for nothing more`() throws {
    let bench = try Self.bench(Kind(paging: "by: cursor, param: c, from: next", queries: [], more: []))
    func page(_ id: Int, _ next: String) -> Script.Answer {
      .ok("{\"items\": [{\"id\": \(id)}], \"next\": \"\(next)\"}")
    }
    try bench.run(Script([page(1, "a"), page(2, "b"), Self.cut]))
    let script = Script([page(3, "c")])
    let run = try bench.run(script, options: WalkOptions(maxPages: 2))
    #expect(run.failure == nil && script.requests.isEmpty)
    #expect(run.warnings == ["endpoint 'items': the walk is partial, it ends at 2 pages (max_pages)"])
  }
}
