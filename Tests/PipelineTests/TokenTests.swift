import Fetch
import Pipeline
import Synchronization
import Testing

/// OAuth 2: when a token is asked for, how, and what becomes of it.
struct TokenTests {
  private static let client = "token_url: /token, client_id: loader, client_secret: '${secret.CS}'"

  private func bench(
    _ oauth2: String = "grant: client_credentials, \(client)", source: String = "", endpoint: String = "",
    errors: String = "[]", base: String = "https://api.example.test/v1", on other: Bench? = nil
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source:
        name: demo
        base_url: "\(base)"
        auth: {oauth2: {\(oauth2)}}
        retry: {attempts: 2, wait: 1s, max_wait: 90d}
        \(source)
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, \(endpoint)}}
      errors: \(errors)
      """,
      secrets: ["CS": "cs-quince", "R": "refresh-quince", "PW": "pw-quince", "R2": "login-quince"], on: other)
  }

  private static let pages = "paginate: {by: page, param: page, start: 1}"

  private static func token(_ value: String, _ more: String = "") -> Script.Answer {
    .ok(#"{"access_token": "\#(value)", "token_type": "Bearer"\#(more.isEmpty ? "" : ", ")\#(more)}"#)
  }

  private static func page(_ ids: Int...) -> Script.Answer {
    .ok("{\"items\": [\(ids.map { "{\"id\": \($0)}" }.joined(separator: ", "))]}")
  }

  private func form(_ request: HTTPRequest) -> String { String(decoding: request.body ?? [], as: UTF8.self) }

  private func sent(_ script: Script) -> [String] {
    script.requests.map { request in
      let name = request.headers.first { $0.isNamed("Authorization") }?.value ?? "-"
      return "\(request.method) \(request.url.split(separator: "/").last ?? "") \(name)"
    }
  }

  // MARK: how a token is asked for

  @Test func `a form asks for a token once, and all pages carry it`() throws {
    let script = Script([Self.token("kiwi-1"), Self.page(1), Self.page(2), Self.page()])
    let run = try bench("grant: client_credentials, \(Self.client), scope: 'a:read b'", endpoint: Self.pages).run(
      script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(
      sent(script) == [
        "POST token -", "GET items?page=1 Bearer kiwi-1", "GET items?page=2 Bearer kiwi-1",
        "GET items?page=3 Bearer kiwi-1",
      ])
    let request = script.requests[0]
    #expect(request.url == "https://api.example.test/v1/token")
    #expect(
      form(request)
        == "grant_type=client_credentials&scope=a%3Aread%20b&client_id=loader&client_secret=cs-quince")
    #expect(request.headers.first { $0.isNamed("content-type") }?.value == "application/x-www-form-urlencoded")
    #expect(request.bodyIsCredential)
    #expect(script.requests.dropFirst().allSatisfy { $0.headers.allSatisfy(\.isCredential) })
  }

  @Test(arguments: [
    (
      "grant: password, username: 'a&da', password: '${secret.PW}', \(client)",
      "grant_type=password&username=a%26da&password=pw-quince&client_id=loader&client_secret=cs-quince", ""
    ),
    (
      "grant: password, username: ada, password: '${secret.PW}', token_url: /token",
      "grant_type=password&username=ada&password=pw-quince", ""
    ),
    (
      "grant: refresh_token, refresh_token: '${secret.R}', token_url: /token, client_id: loader",
      "grant_type=refresh_token&refresh_token=refresh-quince&client_id=loader", ""
    ),
    (
      "grant: client_credentials, client_auth: basic, \(client)", "grant_type=client_credentials",
      "Basic bG9hZGVyOmNzLXF1aW5jZQ=="
    ),
    (
      "grant: client_credentials, client_auth: basic, token_url: /token, client_id: ' %&+£€', client_secret: 'a:b'",
      // " %&+£€" is the example of RFC 6749, appendix B.
      "grant_type=client_credentials", "Basic KyUyNSUyNiUyQiVDMiVBMyVFMiU4MiVBQzphJTNBYg=="
    ),
  ])
  func `each grant has its form, and the client says who it is`(
    _ oauth2: String, _ body: String, _ authorization: String
  ) throws {
    let script = Script([Self.token("kiwi-1"), Self.page(1)])
    #expect(try bench(oauth2).run(script).failure == nil)
    #expect(form(script.requests[0]) == body)
    let header = script.requests[0].headers.first { $0.isNamed("Authorization") }
    #expect((header?.value ?? "") == authorization && header?.isCredential ?? true)
  }

  @Test(arguments: [
    ("/token", "https://api.example.test/v1/token"),
    ("token?audience=x", "https://api.example.test/v1/token?audience=x"),
    ("https://auth.example.test/o/token?a=b", "https://auth.example.test/o/token?a=b"),
    ("//auth.example.test/token", "https://api.example.test/v1/auth.example.test/token"),
  ])
  func `the token endpoint is a URL, or a path below the base`(_ written: String, _ url: String) throws {
    let script = Script([Self.token("kiwi-1"), Self.page(1)])
    #expect(try bench("grant: client_credentials, client_id: a, token_url: '\(written)'").run(script).failure == nil)
    #expect(script.requests.map(\.url) == [url, "https://api.example.test/v1/items"])
  }

  @Test func `what cannot be a token endpoint, and a secret without a value, are found before anything is asked`()
    throws
  {
    for (written, reason) in [
      ("http://u:p@auth.example.test/", "'token_url' cannot be used"), ("${secret.NONE}", "'secret.NONE' has no value"),
    ] {
      let bench = try bench("grant: client_credentials, client_id: a, token_url: '\(written)'")
      let error = #expect(throws: PipelineError.self) {
        try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil)
      }
      #expect(error?.kind == .refused && error?.message.contains(reason) == true, "\(error?.message ?? "")")
      try Walker.check(
        mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil, asksServers: false)
    }
  }

  // MARK: how long it is good

  @Test(arguments: [
    (#""expires_in": 3600"#, 3569, 1), (#""expires_in": 3600"#, 3570, 2), (#""expires_in": "3600""#, 3570, 2),
    (#""expires_in": 10"#, 8, 1), (#""expires_in": 10"#, 9, 2), (#""expires_in": 0.5"#, 1, 2),
    // Nothing is said of an end.
    ("", 999_999, 1), (#""expires_in": 0"#, 999_999, 1), (#""expires_in": -5"#, 999_999, 1),
    (#""expires_in": null"#, 999_999, 1), (#""expires_in": "soon""#, 999_999, 1), (#""expires_in": {}"#, 999_999, 1),
    (#""expires_in": 1e400"#, 999_999, 1),
  ])
  func `a token is replaced shortly before its end`(_ lifetime: String, _ pause: Int, _ tokens: Int) throws {
    var answers = [Self.token("kiwi-1", lifetime), Self.page(1), .status(503, "")]
    if tokens == 2 { answers.append(Self.token("kiwi-2")) }
    let script = Script(answers + [Self.page(2), Self.page()])
    // Between the tries of a page lies the pause.
    let bench = try bench(
      endpoint: Self.pages, errors: "[{status: 503, action: retry, wait: {default: \(pause)s}}]")
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(script.requests.count { $0.url.hasSuffix("/token") } == tokens)
    #expect(sent(script).last == "GET items?page=3 Bearer kiwi-\(tokens)")
  }

  @Test func `a 401 makes one new token and repeats the same page`() throws {
    let script = Script([
      Self.token("kiwi-1"), Self.page(1), .status(401, #"{"message": "expired kiwi-1"}"#), Self.token("kiwi-2"),
      Self.page(2), .status(401, ""), Self.token("kiwi-3"), Self.page(),
    ])
    let bench = try bench(endpoint: Self.pages)
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(
      sent(script) == [
        "POST token -", "GET items?page=1 Bearer kiwi-1", "GET items?page=2 Bearer kiwi-1", "POST token -",
        "GET items?page=2 Bearer kiwi-2", "GET items?page=3 Bearer kiwi-2", "POST token -",
        "GET items?page=3 Bearer kiwi-3",
      ])
    #expect(
      try bench.rows("SELECT status, action, attempt FROM _ingest_errors") == [
        "401|refresh_auth|1", "401|refresh_auth|1",
      ])
  }

  @Test func `a second refusal ends the walk, with no further token`() throws {
    let script = Script([
      Self.token("kiwi-1"), .status(503, ""), .status(401, ""), Self.token("kiwi-2"),
      .status(401, #"{"message": "no kiwi-2"}"#),
    ])
    let bench = try bench(errors: "[{status: 4xx, message: message}]")
    let run = try bench.run(script)
    #expect(run.failure?.message == "endpoint 'items': GET https://api.example.test/v1/items answered 401: no ***")
    #expect(script.requests.count == 5)
    #expect(
      try bench.rows("SELECT status, action, attempt, message FROM _ingest_errors") == [
        "503|retry|1|null", "401|refresh_auth|2|null", "401|fail|3|no ***",
      ])
  }

  @Test(arguments: ["fail", "ignore", "stop", "retry"])
  func `a rule that says what becomes of a 401 is obeyed`(_ action: String) throws {
    let script = Script([Self.token("kiwi-1"), .status(401, ""), .status(401, "")])
    _ = try bench(errors: "[{status: 401, action: \(action)}]").run(script)
    #expect(sent(script).filter { $0.hasPrefix("POST") }.count == 1)
  }

  @Test func `a rule renews the token for a body that says so, once`() throws {
    let expired = #"{"error": {"type": "session_expired", "text": "log in again"}}"#
    let rule = "[{when: {error.type: session_expired}, action: refresh_auth, message: error.text}]"
    let good = Script([Self.token("kiwi-1"), .ok(expired), Self.token("kiwi-2"), Self.page(1)])
    #expect(try bench(errors: rule).run(good).failure == nil)
    #expect(sent(good).last == "GET items Bearer kiwi-2")
    let bad = Script([Self.token("kiwi-1"), .ok(expired), Self.token("kiwi-2"), .ok(expired)])
    #expect(try bench(errors: rule).run(bad).failure?.message.hasSuffix("answered 200: log in again") == true)
    #expect(bad.requests.count == 4)
  }

  @Test func `where no token is got, the rule fails`() throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", auth: {bearer: {token: "${secret.T}"}}}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      errors: [{status: 401, action: refresh_auth, message: m}]
      """, secrets: ["T": "quince"])
    let script = Script([.status(401, #"{"m": "no"}"#)])
    #expect(try bench.run(script).failure?.message.hasSuffix("answered 401: no") == true)
    #expect(script.requests.count == 1)
    #expect(try bench.rows("SELECT action FROM _ingest_errors") == ["fail"])
  }

  // MARK: what goes wrong on the way to it

  @Test(
    arguments: [
      (
        .status(401, #"{"error": "invalid_client", "error_description": "who?"}"#),
        "answered 401 (invalid_client): who?"
      ),
      (.status(400, #"{"error": {"code": 17, "message": "no"}}"#), "answered 400 (17): no"),
      (.status(403, "<html>cs-quince</html>"), "answered 403; the body begins: <html>***</html>"),
      (.status(404, ""), "answered 404"),
      (
        .ok(#"{"error": "bad_verification_code", "error_description": "wrong"}"#),
        "answered 200 (bad_verification_code): wrong, but gives no token: it has no 'access_token'"
      ),
      (.ok(#"{"accessToken": "kiwi-1"}"#), "answered 200, but gives no token: it has no 'access_token'"),
      (.ok(#"{"access_token": ["kiwi-1"]}"#), "its 'access_token' is no text"),
      (.ok(#"{"access_token": "kiwi-1\r\nX: 1"}"#), "its 'access_token' holds a control character"),
      (.ok(#"{"access_token": "", "x": "kiwi-1"}"#), "its 'access_token' is empty"),
      (.ok(#"{"access_token": "kiwi-1", "token_type": "mac"}"#), "its 'token_type' is 'mac', and only Bearer"),
      (.ok(#"["kiwi-1"]"#), "the body is no JSON object"), (.ok(""), "the body is empty"),
      (
        .status(200, "<html>kiwi-1</html>", headers: [HTTPHeader("Content-Type", "text/html")]),
        "the body is no JSON, but 'text/html'"
      ),
      (.failure(FetchError(.tls, "no safe connection")), "no safe connection"),
    ] as [(Script.Answer, String)])
  func `a token that cannot be got is an error that names the endpoint of tokens`(
    _ answer: Script.Answer, _ words: String
  ) throws {
    let script = Script([answer])
    let bench = try bench()
    let run = try bench.run(script)
    let message = try #require(run.failure?.message)
    let start =
      "endpoint 'items': GET https://api.example.test/v1/items: no token: the token endpoint, "
      + "POST https://api.example.test/v1/token"
    #expect(run.failure?.kind == .failed && message.hasPrefix(start) && message.contains(words), "\(message)")
    #expect(script.requests.count == 1, "it is not asked again, nor is the API")
    let kept = try bench.rows("SELECT endpoint, method, url, action, message, excerpt, code FROM _ingest_errors")
    #expect(kept.count == 1 && kept[0].hasPrefix("items|POST|https://api.example.test/v1/token|fail|"), "\(kept)")
    for text in [message] + run.messages.map(\.text) + kept {
      #expect(!text.contains("quince") && !text.contains("kiwi"), "\(text)")
    }
  }

  @Test func `the words of a refusal are found by the mapping's rules first`() throws {
    let script = Script([.status(422, #"{"fault": {"text": "locked", "no": "E7"}, "message": "x"}"#)])
    let run = try bench(errors: "[{status: 4xx, message: fault.text, code: fault.no, action: ignore}]").run(script)
    #expect(run.failure?.message.hasSuffix("/token answered 422 (E7): locked") == true)
  }

  @Test func `a token endpoint that is down for a while is asked again`() throws {
    let clock = ManualClock()
    let script = Script([
      .status(503, "", headers: [HTTPHeader("Retry-After", "7")]), Self.token("kiwi-1"), Self.page(1),
    ])
    let bench = try bench()
    let run = try bench.run(script, clock: clock)
    #expect(run.failure == nil && clock.sleeps == [.seconds(7)])
    #expect(try bench.rows("SELECT method, status, action, attempt FROM _ingest_errors") == ["POST|503|retry|1"])
    #expect(run.messages.contains { $0.text.contains("the token endpoint") && $0.text.contains("next try in 7 s") })
  }

  @Test func `tries that are used up end the walk`() throws {
    let silence = Script.Answer.failure(FetchError(.timeout, "no answer"))
    let script = Script([silence, silence])
    let run = try bench().run(script)
    #expect(run.failure?.message.hasSuffix("no answer (tried 2 times)") == true, "\(run.failure?.message ?? "")")
    #expect(script.requests.count == 2)
    // Whether it was carried out is not known, and a refresh token may be good for one time.
    let once = Script([silence])
    let refresh = try bench("grant: refresh_token, refresh_token: '${secret.R}', token_url: /token").run(once)
    #expect(refresh.failure?.message.hasSuffix("(not tried again: the refresh token may be used up)") == true)
    #expect(once.requests.count == 1)
  }

  @Test func `a token that fails later is an error, too`() throws {
    let script = Script([Self.token("kiwi-1"), .status(401, ""), .status(500, ""), .status(500, "")])
    let bench = try bench()
    let message = try #require(try bench.run(script).failure?.message)
    #expect(message.contains("/items: no token: the token endpoint, POST ") && message.contains("answered 500"))
    #expect(
      try bench.rows("SELECT method, status, action FROM _ingest_errors") == [
        "GET|401|refresh_auth", "POST|500|retry", "POST|500|fail",
      ])
  }

  // MARK: where it goes

  @Test func `a token is kept out of everything that is said and stored`() throws {
    let yaml = """
      ingest: 1
      source:
        name: demo
        base_url: "https://api.example.test"
        auth: {oauth2: {grant: client_credentials, \(Self.client)}}
        retry: {attempts: 1}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}, url: $request.url}}}
      endpoints:
        items: {path: /items, records: {items: Item}}
        more: {path: /more, records: {items: Item}}
      errors: [{status: 5xx, message: m}]
      """
    let bench = try Bench(yaml, secrets: ["CS": "cs-quince"])
    let script = Script([
      Self.token("plum/7f3k+kiwi"), .ok(#"{"items": [{"id": "plum/7f3k+kiwi"}, {"id": 1}]}"#),
      .status(500, #"{"m": "plum%2F7f3k%2Bkiwi, cGx1bS83ZjNrK2tpd2k="}"#),
    ])
    let run = try bench.run(script)
    #expect(run.failure?.message.contains("answered 500") == true)
    let kept = try ["items", "_ingest_errors", "_ingest_rejects", "_ingest_runs"].flatMap {
      try bench.rows("SELECT * FROM \($0)")
    }
    for text in [run.failure?.message ?? ""] + run.messages.map(\.text) + kept {
      for form in ["plum", "cGx1bS", "quince"] { #expect(!text.contains(form), "\(text)") }
    }
    #expect(run.warnings.isEmpty)
  }

  @Test func `a token that is too short to be found is warned of`() throws {
    let run = try bench().run(Script([Self.token("T1"), Self.page(1)]))
    #expect(run.warnings == ["the token is shorter than 4 characters: it cannot be kept out of messages"])
  }

  // MARK: refresh tokens

  private static let kept = "SELECT value, source, scope, run_id FROM _ingest_state WHERE name = 'auth.refresh_token'"
  private static let refresh = "grant: refresh_token, refresh_token: '${secret.R}', token_url: /token"

  @Test func `a refresh token that replaces another is kept before it is used, and serves the next run`() throws {
    let bench = try bench(Self.refresh)
    let first = Script([Self.token("kiwi-1", #""refresh_token": "next-kiwi""#), Self.page(1)])
    var kept: [[String]] = []
    first.before = { _ in kept.append((try? bench.rows(Self.kept)) ?? []) }
    let run = try bench.run(first)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    // Before the request to the API went out.
    #expect(kept.count == 2 && kept[0].isEmpty && kept[1].count == 1 && kept[1][0].contains("next-kiwi"))
    #expect(try bench.rows("SELECT source, scope, run_id FROM (\(Self.kept))") == ["demo||1"])
    let second = Script([Self.token("kiwi-2"), Self.page(1)])
    #expect(try bench.run(second).failure == nil)
    #expect(form(second.requests[0]) == "grant_type=refresh_token&refresh_token=next-kiwi")
    #expect(try bench.rows("SELECT run_id FROM (\(Self.kept))") == ["1"], "it was not replaced")
  }

  @Test func `within a run the newest refresh token is used`() throws {
    let bench = try bench(Self.refresh, endpoint: Self.pages)
    let script = Script([
      Self.token("kiwi-1", #""refresh_token": "next-1""#), Self.page(1), .status(401, ""),
      Self.token("kiwi-2", #""refresh_token": "next-2""#), Self.page(2), Self.page(),
    ])
    #expect(try bench.run(script).failure == nil)
    #expect(
      script.requests.filter { $0.method == "POST" }.map { String(form($0).split(separator: "=").last ?? "") } == [
        "refresh-quince", "next-1",
      ])
    #expect(try bench.rows(Self.kept)[0].contains("next-2"))
  }

  /// As another process would that has replaced the refresh token.
  private func replace(_ old: String, by new: String, _ change: (String) throws -> Void) {
    #expect(throws: Never.self) {
      try change(
        """
        UPDATE _ingest_state SET value = replace(replace(value, '"\(old)"', '"\(new)"'), '"count":"1"', '"count":"2"')
        """)
    }
  }

  private func refreshTokens(_ requests: [HTTPRequest]) -> [String] {
    requests.filter { $0.method == "POST" }.map { String(form($0).split(separator: "=").last ?? "") }
  }

  @Test(arguments: [1, 3]) func `what another process has replaced is read again before it is used`(
    _ concurrency: Int
  ) throws {
    let bench = try bench(Self.refresh, source: "concurrency: \(concurrency)", endpoint: Self.pages)
    let seen = Mutex<[HTTPRequest]>([])
    let change = bench.changing
    let crowd = Crowd { line, request throws(FetchError) in
      seen.withLock { $0.append(request) }
      if request.method == "POST" {
        let isFirst = self.form(request).hasSuffix("refresh-quince")
        let answer = isFirst ? ("kiwi-1", "next-1") : ("kiwi-2", "next-3")
        return Crowd.json(#"{"access_token": "\#(answer.0)", "refresh_token": "\#(answer.1)"}"#)
      }
      if request.headers.contains(where: { $0.value == "Bearer kiwi-1" }) {
        self.replace("next-1", by: "next-2", change)
        return Crowd.json("", status: 401)
      }
      return Crowd.json(line.hasSuffix("page=1") ? #"{"items": [{"id": 1}]}"# : #"{"items": []}"#)
    }
    let run = try bench.run(crowd.transport, supply: crowd.supply)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(seen.withLock { refreshTokens($0) } == ["refresh-quince", "next-2"])
    #expect(try bench.rows(Self.kept)[0].contains("next-3") && bench.rows("SELECT id FROM items") == ["1"])
  }

  @Test(arguments: [
    Script.Answer.status(400, #"{"error": "invalid_grant"}"#), .ok(#"{"error": "invalid_grant"}"#),
  ])
  func `a refused token is looked for once more before that is final`(_ refusal: Script.Answer) throws {
    let bench = try bench(Self.refresh)
    let script = Script([
      Self.token("kiwi-1", #""refresh_token": "next-1""#), .status(401, ""), refusal, Self.token("kiwi-2"),
      Self.page(1),
    ])
    script.before = { request in
      if form(request).hasSuffix("next-1") { replace("next-1", by: "next-2", bench.changing) }
    }
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(refreshTokens(script.requests) == ["refresh-quince", "next-1", "next-2"])
    #expect(run.messages.contains { $0.text.contains("another process has replaced the refresh token") })
    #expect(try bench.rows("SELECT action FROM _ingest_errors") == ["refresh_auth", "retry"])
  }

  @Test func `a newer token that is refused, too, is final`() throws {
    let bench = try bench(Self.refresh)
    let refusal = Script.Answer.status(400, #"{"error": "invalid_grant"}"#)
    let script = Script([
      Self.token("kiwi-1", #""refresh_token": "next-1""#), .status(401, ""), refusal, refusal, Self.token("kiwi-2"),
    ])
    script.before = { request in
      if form(request).hasSuffix("next-1") { replace("next-1", by: "next-2", bench.changing) }
    }
    #expect(try bench.run(script).failure?.message.contains("log in again") == true)
    #expect(refreshTokens(script.requests) == ["refresh-quince", "next-1", "next-2"])
  }

  @Test(arguments: [(Self.refresh, "next-1"), ("\(Self.refresh)2", "refresh-quince")])
  func `sources of one store share a token that was given to both`(_ oauth2: String, _ token: String) throws {
    let bench = try bench(Self.refresh)
    _ = try bench.run(Script([Self.token("kiwi-1", #""refresh_token": "next-1""#), Self.page(1)]))
    let other = try Bench(
      """
      ingest: 1
      source: {name: other, base_url: "https://api.example.test/v1", auth: {oauth2: {\(oauth2)}}}
      records: {Thing: {table: things, key: id, fields: {id: {type: integer}}}}
      endpoints: {things: {path: /items, records: {items: Thing}}}
      """, secrets: ["R": "refresh-quince"], on: bench)
    let script = Script([Self.token("kiwi-2", #""refresh_token": "next-2""#), Self.page(1)])
    #expect(try other.run(script).failure == nil)
    // Another issuer is not shown it.
    #expect(refreshTokens(script.requests) == [token])
    let next = Script([Self.token("kiwi-3"), Self.page(1)])
    #expect(try bench.run(next).failure == nil)
    #expect(refreshTokens(next.requests) == [token == "next-1" ? "next-2" : "next-1"])
  }

  @Test func `a new log-in counts before what was kept`() throws {
    let bench = try bench(Self.refresh)
    _ = try bench.run(Script([Self.token("kiwi-1", #""refresh_token": "next-kiwi""#), Self.page(1)]))
    let other = try self.bench("grant: refresh_token, refresh_token: '${secret.R2}', token_url: /token", on: bench)
    let script = Script([Self.token("kiwi-2"), Self.page(1)])
    #expect(try other.run(script).failure == nil)
    #expect(form(script.requests[0]) == "grant_type=refresh_token&refresh_token=login-quince")
  }

  @Test(arguments: ["not JSON", "{}", #"{"from": "x", "token": "old"}"#, #"{"from": 1, "token": 2}"#])
  func `what was kept and cannot be read is passed over`(_ value: String) throws {
    let bench = try bench(Self.refresh)
    _ = try bench.run(Script([.status(400, "")]))
    try bench.change("INSERT INTO _ingest_state VALUES ('demo', '', 'auth.refresh_token', '\(value)', 1)")
    let script = Script([Self.token("kiwi-2"), Self.page(1)])
    #expect(try bench.run(script).failure == nil)
    #expect(form(script.requests[0]).hasSuffix("refresh-quince"))
  }

  @Test func `a refresh token that is not taken any more asks for a new log-in`() throws {
    let script = Script([.status(400, #"{"error": "invalid_grant"}"#)])
    let run = try bench(Self.refresh).run(script)
    #expect(
      run.failure?.message.hasSuffix(
        "(invalid_grant); the refresh token is not taken any more: log in again, and give the new one where "
          + "'auth.oauth2.refresh_token' of the mapping reads it") == true)
  }

  @Test(arguments: ["write: replace", "write: upsert"])
  func `a refresh token outlives what a run undoes`(_ write: String) throws {
    let isReplacing = write.contains("replace")
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", auth: {oauth2: {\(Self.refresh)}}, retry: {attempts: 1}}
      records: {Item: {table: items, key: id, \(write), fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: {items: Item}, \(Self.pages)}}
      store: {commit: \(isReplacing ? "page" : "run")}
      """, secrets: ["R": "refresh-quince"])
    // Tokens come while a transaction is open, which is undone.
    let script = Script([
      Self.token("kiwi-1", #""refresh_token": "next-1""#), Self.page(1), .status(401, ""),
      Self.token("kiwi-2", #""refresh_token": "next-2""#), .status(500, ""),
    ])
    var aside: [[String]] = []
    script.before = { _ in aside.append((try? bench.setAside()) ?? []) }
    #expect(try bench.run(script).failure != nil)
    // On the disk before the requests to the API that follow.
    #expect(aside.map(\.count) == [0, 1, 1, 1, 2])
    #expect(aside[1][0].contains("next-1") && aside[4][1].contains("next-2"))
    #expect(try bench.rows(Self.kept).map { $0.contains("next-2") } == [true], "it stays though the rows do not")
    #expect(try bench.rows("SELECT id FROM items").isEmpty && bench.setAside().isEmpty)
    let next = Script([Self.token("kiwi-3"), Self.page(1), Self.page()])
    #expect(try bench.run(next).failure == nil)
    #expect(form(next.requests[0]).hasSuffix("refresh_token=next-2"))
  }
}
