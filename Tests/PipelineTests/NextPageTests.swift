import Fetch
import Pipeline
import Testing

/// Walks along URLs of the API's own: what goes with the requests, and where their pages belong.
struct NextPageTests {
  private static let secret = "plum/7f3k+quince"
  private static let encoded = "plum%2F7f3k%2Bquince"

  private func bench(
    source: String = "", endpoint: String = "paginate: {by: next_url, from: next}", more: String = "",
    fields: String = "id: {type: integer}", identity: String = "key: id"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test/base", \(source)}
      variables: {owner: ada}
      records: {Item: {table: items, \(identity), fields: {\(fields)}}}
      endpoints:
        items: {path: "/v1/of/:owner", records: {items: Item}, \(endpoint)}
        \(more)
      """, secrets: ["KEY": Self.secret])
  }

  private static func page(_ id: Int, next: String? = nil) -> Script.Answer {
    .ok("{\"items\": [{\"id\": \(id)}], \"next\": \(next.map { "\"\($0)\"" } ?? "null")}")
  }

  @Test func `pages on other paths belong to the endpoint, with the path parameters of the first request`() throws {
    let bench = try bench(
      more: "others: {path: '/x/*', records: {items: Item}, fetch: false}",
      fields: "id: {type: integer}, owner: $route.owner, page: $query.page, url: $request.url")
    let script = Script([
      Self.page(1, next: "?page=2"), Self.page(2, next: "/base/x/9/items?page=3"),
      Self.page(3, next: "/base/v1/of/bob?page=4"), Self.page(4, next: "https://other.test/v1/of/cy?page=5"),
      Self.page(5, next: "/base2/v1/of/dan"), Self.page(6),
    ])
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(
      try bench.rows("SELECT id, owner, page, url FROM items ORDER BY id") == [
        "1|ada|null|https://api.example.test/base/v1/of/ada", "2|ada|2|https://api.example.test/base/v1/of/ada?page=2",
        "3|ada|3|https://api.example.test/base/x/9/items?page=3",
        "4|bob|4|https://api.example.test/base/v1/of/bob?page=4",
        "5|ada|5|https://other.test/v1/of/cy?page=5", "6|ada|null|https://other.test/base2/v1/of/dan",
      ])
    #expect(try bench.rows("SELECT received FROM _ingest_counts WHERE record = 'Item'") == ["6"])
  }

  struct Sent: Sendable, CustomTestStringConvertible {
    var source: String
    var endpoint = ""
    var next: String
    /// URL and headers of the second request.
    var second: String
    var testDescription: String { "\(source) \(next)" }
  }

  @Test(arguments: [
    Sent(
      source: "params: {a: 1}", endpoint: "params: {b: 2}", next: "?p=2",
      second: "https://api.example.test/base/v1/of/ada?p=2"),
    Sent(
      source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}", next: "?p=2",
      second: "https://api.example.test/base/v1/of/ada?p=2&key=\(encoded)"),
    // As it was given, but for the value that repeats the credential.
    Sent(
      source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}", next: "?key=plum%2f7f3k%2bquince&p=2",
      second: "https://api.example.test/base/v1/of/ada?key=\(encoded)&p=2"),
    Sent(
      source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}", next: "?key=another&p=2",
      second: "https://api.example.test/base/v1/of/ada?key=another&p=2"),
    Sent(
      source: "params: {s: '${secret.KEY}'}", next: "?s=\(encoded)&p=2",
      second: "https://api.example.test/base/v1/of/ada?s=\(encoded)&p=2"),
    Sent(
      source: "auth: {bearer: {token: '${secret.KEY}'}}, headers: {X-A: b}", next: "/x",
      second: "https://api.example.test/x X-A: b Authorization: Bearer \(secret)"),
    Sent(
      source: "auth: {bearer: {token: '${secret.KEY}'}}, headers: {X-A: b, X-S: '${secret.KEY}'}",
      next: "https://other.test/x", second: "https://other.test/x X-A: b"),
    Sent(
      source: "auth: {api_key: {cookie: c, value: '${secret.KEY}'}}, headers: {Cookie: d=e}",
      next: "https://other.test/x", second: "https://other.test/x"),
    Sent(
      source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}", next: "https://other.test/x?key=1&q",
      second: "https://other.test/x?q"),
    Sent(
      source: "auth: {api_key: {header: X-Key, value: '${secret.KEY}'}}", next: "https://api.example.test:8443/x",
      second: "https://api.example.test:8443/x"),
    Sent(
      source: "auth: {basic: {username: ada, password: '${secret.KEY}'}}", next: "//other.test/x",
      second: "https://other.test/x"),
  ])
  func `credentials stay at the source's own origin`(_ test: Sent) throws {
    let endpoint = "paginate: {by: next_url, from: next}" + (test.endpoint.isEmpty ? "" : ", \(test.endpoint)")
    let script = Script([Self.page(1, next: test.next), Self.page(2)])
    let run = try bench(source: test.source, endpoint: endpoint).run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    let second = try #require(script.requests.last)
    #expect(second.url + second.headers.map { " \($0.name): \($0.value)" }.joined() == test.second)
    let isHome = second.url.hasPrefix("https://api.example.test/")
    #expect(second.basic == nil || isHome)
    for text in run.messages.map(\.text) { #expect(!text.contains(Self.secret) && !text.contains(Self.encoded)) }
  }

  @Test func `basic credentials go along at home`() throws {
    let script = Script([Self.page(1, next: "?p=2"), Self.page(2)])
    try bench(source: "auth: {basic: {username: ada, password: '${secret.KEY}'}}").run(script)
    #expect(script.requests.map { $0.basic?.password } == [Self.secret, Self.secret])
  }

  @Test func `a POST goes on with its body, and one with a secret in it not elsewhere`() throws {
    let endpoint = "method: POST, body: {json: {q: 1}}, paginate: {by: next_url, from: next}"
    let script = Script([Self.page(1, next: "?p=2"), Self.page(2, next: "https://other.test/"), Self.page(3)])
    #expect(try bench(endpoint: endpoint).run(script).failure == nil)
    #expect(script.requests.map(\.method) == ["POST", "POST", "POST"])
    #expect(script.requests.allSatisfy { $0.body == Array(#"{"q":1}"#.utf8) })

    let away = Script([Self.page(1, next: "?p=2"), Self.page(2, next: "https://other.test/"), Self.page(3)])
    let bench = try bench(endpoint: endpoint.replacing("q: 1", with: "q: '${secret.KEY}'"))
    let failure = try bench.run(away).failure
    #expect(away.requests.count == 2)
    #expect(
      failure?.kind == .failed && failure?.message.contains("https://other.test, and the request's body holds") == true)
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
  }

  @Test(arguments: [
    ("http://api.example.test/base/v1/of/ada?p=2", "it leads from https to http, which is refused"),
    ("https://other.test/?q=\(encoded)", "it leads to another origin, https://other.test, with a credential in it"),
    ("ftp://api.example.test/", "only https and http are fetched"), ("/base/v1/of/ada", "came before"),
  ])
  func `a next URL that cannot be followed ends the walk, its pages stay`(_ next: String, _ words: String) throws {
    let bench = try bench(source: "auth: {api_key: {query: key, value: '${secret.KEY}'}}")
    let script = Script([Self.page(1, next: next), Self.page(2)])
    let failure = try bench.run(script).failure
    #expect(script.requests.count == 1)
    #expect(failure?.kind == .failed && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("GET https://api.example.test/base/v1/of/ada?key=***: ") == true)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
  }

  @Test func `several Link lines are read, in any letter case`() throws {
    let bench = try bench(endpoint: "paginate: {by: link_header}")
    let script = Script([
      .status(
        200, #"{"items": [{"id": 1}]}"#,
        headers: [HTTPHeader("Link", "<?p=9>; rel=last"), HTTPHeader("LINK", "<?p=2&s=a,b>; Rel=\"x NEXT\"")]),
      .status(200, #"{"items": [{"id": 2}]}"#, headers: [HTTPHeader("link", "<?p=1>; rel=prev")]),
    ])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /base/v1/of/ada", "GET /base/v1/of/ada?p=2&s=a,b"])
  }

  @Test func `a body that came before is not stored again`() throws {
    let bench = try bench(endpoint: "paginate: {by: page, param: p, start: 1}", identity: "write: append")
    let script = Script([Self.page(1), Self.page(2), Self.page(1)])
    #expect(try bench.run(script).failure?.message.contains("it gave the same body as a page before") == true)
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2"])
  }

  @Test func `lines have nothing beside them that paging could read`() throws {
    let bench = try bench(endpoint: "paginate: {by: cursor, param: c, from: next}")
    let script = Script([
      .status(200, "{\"items\": {\"id\": 1}}\n", headers: [HTTPHeader("Content-Type", "application/x-ndjson")])
    ])
    let run = try bench.run(script)
    #expect(run.failure?.message.contains("it is NDJSON") == true && run.failure?.message.contains("'next'") == true)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
    let lines = try self.bench(endpoint: "paginate: {by: cursor, param: c, from: $response.headers.x-next}")
    let more = Script([
      .status(
        200, "{\"items\": {\"id\": 1}}\n",
        headers: [HTTPHeader("Content-Type", "application/x-ndjson"), HTTPHeader("X-Next", "b")]),
      .status(200, "{\"items\": {\"id\": 2}}\n", headers: [HTTPHeader("Content-Type", "application/x-ndjson")]),
    ])
    #expect(try lines.run(more).failure == nil)
    #expect(more.lines == ["GET /base/v1/of/ada", "GET /base/v1/of/ada?c=b"])
    #expect(try lines.rows("SELECT id FROM items") == ["1", "2"])
  }
}
