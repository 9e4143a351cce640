import Fetch
import Pipeline
import Testing

/// `session`: a log-in, whose token the other requests carry.
struct SessionTests {
  private func bench(
    _ session: String, source: String = "", endpoint: String = "", errors: String = "[]"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source:
        name: demo
        base_url: "https://api.example.test/v1"
        auth: {session: {\(session)}}
        retry: {attempts: 2, wait: 1s}
        \(source)
      variables: {site: {default: "a b"}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, \(endpoint)}}
      errors: \(errors)
      """, secrets: ["P": "pw-quince", "T": "tenant-quince"])
  }

  private static let logIn =
    "path: /login, body: {json: {user: reader, password: '${secret.P}', n: 1}}, token: data.token, send: {header: X-S}"

  private static func token(_ value: String) -> Script.Answer { .ok(#"{"data": {"token": "\#(value)"}}"#) }

  private static func page(_ ids: Int..., more: String = "") -> Script.Answer {
    .ok("{\(more)\"items\": [\(ids.map { "{\"id\": \($0)}" }.joined(separator: ", "))]}")
  }

  private func headers(_ request: HTTPRequest) -> [String] {
    request.headers.map { "\($0.name): \($0.value)\($0.isCredential ? " !" : "")" }
  }

  @Test func `a log-in comes once, before the first request`() throws {
    let script = Script([Self.token("kiwi-1"), Self.page(1), Self.page(2), Self.page()])
    let bench = try bench(
      "\(Self.logIn), headers: {x-source: own, X-User: ada}",
      source: "params: {format: json, site: '${site}'}\n  headers: {X-Source: all, X-Tenant: '${secret.T}'}",
      endpoint: "paginate: {by: page, param: page, start: 1}")
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(
      script.lines == [
        "POST /v1/login?format=json&site=a%20b", "GET /v1/items?format=json&site=a%20b&page=1",
        "GET /v1/items?format=json&site=a%20b&page=2", "GET /v1/items?format=json&site=a%20b&page=3",
      ])
    let login = script.requests[0]
    #expect(String(decoding: login.body ?? [], as: UTF8.self) == #"{"user":"reader","password":"pw-quince","n":1}"#)
    #expect(login.bodyIsCredential)
    #expect(
      headers(login) == [
        "X-Tenant: tenant-quince !", "x-source: own", "X-User: ada", "Content-Type: application/json",
      ])
    for request in script.requests.dropFirst() {
      #expect(headers(request) == ["X-Source: all", "X-Tenant: tenant-quince !", "X-S: kiwi-1 !"])
    }
  }

  @Test func `a 401 logs in once more, and a second one ends the walk`() throws {
    let script = Script([Self.token("kiwi-1"), .status(401, ""), Self.token("kiwi-2"), Self.page(1)])
    #expect(try bench(Self.logIn).run(script).failure == nil)
    #expect(script.lines == ["POST /v1/login", "GET /v1/items", "POST /v1/login", "GET /v1/items"])
    #expect(headers(script.requests[3]) == ["X-S: kiwi-2 !"])
    let again = Script([Self.token("kiwi-1"), .status(401, ""), Self.token("kiwi-2"), .status(401, "no kiwi-2")])
    let run = try bench(Self.logIn).run(again)
    #expect(run.failure?.message.contains("answered 401; the body begins: no ***; the request's credential") == true)
    #expect(again.requests.count == 4)
  }

  @Test(arguments: [
    (
      #"token: token, send: {header: Authorization, prefix: "Token "}"#, #"{"token": "kiwi"}"#,
      "Authorization: Token kiwi !"
    ),
    ("token: '[1].t', send: {header: X-S}", #"[{}, {"t": 90417}]"#, "X-S: 90417 !"),
    ("token: ., send: {header: X-S}", #""kiwi""#, "X-S: kiwi !"),
    ("token: $response.headers.x-subject-token, send: {header: X-S}", "", "X-S: head-kiwi !"),
  ])
  func `a token may be anywhere in the answer`(_ session: String, _ body: String, _ header: String) throws {
    let answer = Script.Answer.status(201, body, headers: [HTTPHeader("X-Subject-Token", "head-kiwi")])
    let script = Script([answer, Self.page(1)])
    let run = try bench("path: /login, body: {form: {p: '${secret.P}'}}, \(session)").run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(headers(script.requests[1]) == [header])
    #expect(String(decoding: script.requests[0].body ?? [], as: UTF8.self) == "p=pw-quince")
  }

  @Test func `a log-in may be a request of another method, and without a body`() throws {
    let script = Script([Self.token("kiwi"), Self.page(1)])
    let session =
      "path: '/login/${site}?x=1', method: get, headers: {X-Key: '${secret.P}'}, token: data.token, send: {query: t}"
    #expect(try bench(session).run(script).failure == nil)
    #expect(script.lines == ["GET /v1/login/a%20b?x=1", "GET /v1/items?t=kiwi"])
    #expect(script.requests[0].body == nil)
    let named = Script([Self.token("kiwi"), Self.page(1)])
    let other = session.replacing("/login/${site}?x=1", with: "/:site/accounts:signIn")
    #expect(try bench(other).run(named).failure == nil)
    #expect(named.lines[0] == "GET /v1/a%20b/accounts:signIn")
  }

  @Test(
    arguments: [
      (.status(403, #"{"message": "who?"}"#), "the log-in, POST https://api.example.test/v1/login answered 403: who?"),
      (.ok(#"{"ok": false, "why": "locked"}"#), "answered 200: locked, but gives no token: it has no 'data.token'"),
      (.ok(#"{"data": [1]}"#), "gives no token: 'data.token' has an array on the way to it"),
      (.ok(#"{"data": {"token": {"a": "kiwi"}}}"#), "its 'data.token' is no text"),
      (
        .status(200, "<html>kiwi", headers: [HTTPHeader("Content-Type", "text/html")]),
        "the body is no JSON, but 'text/html'"
      ),
    ] as [(Script.Answer, String)])
  func `a log-in that fails is told, without what it answers`(_ answer: Script.Answer, _ words: String) throws {
    let script = Script([answer])
    let bench = try bench(Self.logIn, errors: "[{when: {ok: false}, message: why}]")
    let run = try bench.run(script)
    #expect(run.failure?.message.contains(words) == true, "\(run.failure?.message ?? "")")
    #expect(script.requests.count == 1)
    let kept = try bench.rows("SELECT method, url, message, excerpt FROM _ingest_errors")
    #expect(kept.count == 1 && kept[0].hasPrefix("POST|https://api.example.test/v1/login|"))
    for text in kept + [run.failure?.message ?? ""] { #expect(!text.contains("kiwi") && !text.contains("quince")) }
  }

  // MARK: a token in the query

  private static let inQuery = "path: /login, body: {text: '${secret.P}'}, token: data.token, send: {query: sid}"

  @Test func `a token in the query is in no message, table or state, also when the API repeats it`() throws {
    let bench = try bench(
      Self.inQuery, endpoint: "paginate: {by: next_url, from: next}", errors: "[{status: 5xx, message: m}]")
    let next = #""next": "https://api.example.test/v1/items?sid=kiwi-1&page=2", "#
    let script = Script([
      Self.token("kiwi-1"), Self.page(1, more: next), .status(401, ""), Self.token("kiwi-2"),
      .status(500, #"{"m": "no sid=kiwi-2"}"#), .status(500, ""),
    ])
    let run = try bench.run(script)
    #expect(
      script.lines == [
        "POST /v1/login", "GET /v1/items?sid=kiwi-1", "GET /v1/items?page=2&sid=kiwi-1", "POST /v1/login",
        "GET /v1/items?page=2&sid=kiwi-2", "GET /v1/items?page=2&sid=kiwi-2",
      ])
    let tables = ["items", "_ingest_errors", "_ingest_runs", "_ingest_state"]
    let kept = try tables.flatMap { try bench.rows("SELECT * FROM \($0)") }
    #expect(kept.contains { $0.contains("page=2") })
    for text in kept + run.messages.map(\.text) + [run.failure?.message ?? ""] {
      #expect(!text.contains("kiwi"), "\(text)")
    }
    // The next run goes on there, with a token of its own.
    let more = Script([Self.token("kiwi-3"), Self.page(2)])
    #expect(try bench.run(more).failure == nil)
    #expect(more.lines == ["POST /v1/login", "GET /v1/items?page=2&sid=kiwi-3"])
  }

  @Test func `no token goes to a next page at another origin`() throws {
    for (session, name) in [(Self.inQuery, "sid"), (Self.logIn, "X-S")] {
      let bench = try bench(session, endpoint: "paginate: {by: next_url, from: next}")
      let next = #""next": "https://other.example.test/items?page=2", "#
      let script = Script([Self.token("kiwi-1"), Self.page(1, more: next), Self.page(2)])
      let run = try bench.run(script)
      #expect(run.failure == nil, "\(run.failure?.message ?? "")")
      #expect(script.requests[1].url.contains("kiwi") || headers(script.requests[1]) == ["X-S: kiwi-1 !"])
      #expect(script.requests[2].url == "https://other.example.test/items?page=2", "\(name)")
      #expect(headers(script.requests[2]).isEmpty)
    }
  }

  @Test func `a 401 of another origin renews nothing`() throws {
    let bench = try bench(Self.logIn, endpoint: "paginate: {by: next_url, from: next}")
    let next = #""next": "https://other.example.test/items?page=2", "#
    let script = Script([Self.token("kiwi-1"), Self.page(1, more: next), .status(401, "")])
    #expect(try bench.run(script).failure?.message.contains("answered 401") == true)
    #expect(script.requests.count == 3)
  }

  @Test func `with recorded answers nobody logs in`() throws {
    let bench = try bench(Self.logIn)
    try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil, asksServers: false)
    let script = Script([Self.page(1)])
    #expect(try bench.run(script, asksServers: false).failure == nil)
    #expect(script.lines == ["GET /v1/items"] && headers(script.requests[0]).isEmpty)
  }
}
