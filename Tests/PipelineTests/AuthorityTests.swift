import Fetch
import Glibc
import Pipeline
import TestSupport
import Testing

/// Digests, signatures and `.netrc`, and where credentials of any kind may go.
struct AuthorityTests {
  private func bench(
    _ auth: String, endpoint: String = "path: /items", errors: String = "[]", environment: [String: String] = [:],
    base: String = "https://api.example.test/v1"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "\(base)", auth: {\(auth)}, retry: {attempts: 2, wait: 1s}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {records: {items: Item}, \(endpoint)}}
      errors: \(errors)
      """, secrets: ["P": "pw-quince", "K": "sk-quince"], environment: environment)
  }

  /// The headers that a live transport would add on the way out.
  private func signed(_ request: HTTPRequest) throws -> [HTTPHeader] {
    request.signer?.headers(for: request, at: try WebURL(request.url)) ?? []
  }

  private static let digest = "digest: {username: ada, password: '${secret.P}'}"

  private static func challenge(_ nonce: String, _ more: String = "") -> Script.Answer {
    let value = "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\"\(more)"
    return .status(401, #"{"message": "challenge"}"#, headers: [HTTPHeader("WWW-Authenticate", value)])
  }

  @Test func `a challenge is answered, and its nonce serves the other pages`() throws {
    let bench = try bench(Self.digest, endpoint: "path: /items, paginate: {by: page, param: p, start: 1}")
    let script = Script([
      Self.challenge("n1"), .ok(#"{"items": [{"id": 1}]}"#), .ok(#"{"items": [{"id": 2}]}"#), Self.challenge("n2"),
      .ok(#"{"items": []}"#),
    ])
    var nonces: [String] = []
    script.before = { request in
      let value = (try? self.signed(request).first?.value) ?? ""
      nonces.append(value.split(separator: "nonce=\"").dropFirst().first.map { String($0.prefix(2)) } ?? "-")
    }
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(nonces == ["-", "n1", "n1", "n1", "n2"])
    #expect(script.lines == [1, 1, 2, 3, 3].map { "GET /v1/items?p=\($0)" })
    #expect(try bench.rows("SELECT * FROM _ingest_errors").isEmpty, "a challenge is no failure")
  }

  @Test func `a wrong password ends the run after two requests`() throws {
    let script = Script([Self.challenge("n1"), Self.challenge("n1"), Self.challenge("n1")])
    let run = try bench(Self.digest, errors: "[{status: 4xx, message: message}]").run(script)
    #expect(run.failure?.message == "endpoint 'items': GET https://api.example.test/v1/items answered 401: challenge")
    #expect(script.requests.count == 2)
    let fresh = Script([Self.challenge("n1"), Self.challenge("n2"), Self.challenge("n3")])
    #expect(try bench(Self.digest).run(fresh).failure != nil && fresh.requests.count == 2)
  }

  @Test func `what the API asks for instead of a digest is said`() throws {
    let answer = Script.Answer.status(401, "", headers: [HTTPHeader("WWW-Authenticate", "Basic realm=x")])
    let script = Script([answer])
    let run = try bench(Self.digest).run(script)
    #expect(run.failure?.message.hasSuffix("(the API asks for 'Basic', and 'auth' has 'digest')") == true)
    let added = try signed(script.requests[0])
    #expect(script.requests.count == 1 && added.isEmpty)
  }

  @Test func `the answer to a challenge counts for the rate limit`() throws {
    let clock = ManualClock()
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", auth: {\(Self.digest)}, rate_limit: 6/min}
      records: {Item: {table: items, key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """, secrets: ["P": "pw-quince"])
    #expect(try bench.run(Script([Self.challenge("n1"), .ok(#"{"items": []}"#)]), clock: clock).failure == nil)
    #expect(clock.sleeps == [.seconds(10)])
  }

  @Test func `requests are signed with the parameters that paging adds, at the time of each try`() throws {
    let bench = try bench(
      "aws_sigv4: {access_key: AKID, secret_key: '${secret.K}', region: eu-west-1, service: execute-api}",
      endpoint: "path: /items, params: {q: 'a b'}, paginate: {by: page, param: p, start: 1}")
    let script = Script([.ok(#"{"items": [{"id": 1}]}"#), .status(503, ""), .ok(#"{"items": []}"#)])
    var signatures: [[String]] = []
    script.before = { request in signatures.append((try? self.signed(request).map(\.value)) ?? []) }
    #expect(try bench.run(script).failure == nil)
    #expect(signatures.map { $0[0] } == ["20150704T100000Z", "20150704T100000Z", "20150704T100001Z"])
    #expect(Set(signatures.map { $0[1].split(separator: "Signature=").last ?? "" }).count == 3)
    #expect(
      signatures.allSatisfy { $0[1].contains("/eu-west-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date") })
  }

  // MARK: netrc

  @Test func `name and password come from the file that the user has for the host`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path(".netrc")
    try folder.write(
      ".netrc", "machine other.test login x password y\nmachine API.example.test login ada password net-quince\n")
    chmod(file, 0o600)
    for environment in [["HOME": folder.path], ["NETRC": file, "HOME": "/none"]] {
      let script = Script([.status(401, #"{"m": "no net-quince"}"#)])
      let run = try bench("netrc: true", errors: "[{status: 4xx, message: m}]", environment: environment).run(script)
      #expect(script.requests[0].basic?.username == "ada" && script.requests[0].basic?.password == "net-quince")
      #expect(run.failure?.message.hasSuffix("answered 401: no ***") == true && run.warnings.isEmpty)
    }
    chmod(file, 0o644)
    let run = try bench("netrc: true", environment: ["NETRC": file]).run(Script([.ok(#"{"items": []}"#)]))
    #expect(run.warnings == ["\(file) can be read by other users (mode 644): chmod 600 keeps it yours"])
  }

  @Test(arguments: [
    (nil, "cannot be read: No such file or directory"), ("machine other.test login a password b", "has no entry for"),
    ("machine api.example.test login a", "has no password"), ("machine api.example.test password a", "has no login"),
  ])
  func `a file without what is asked of it is an error before any request`(_ text: String?, _ words: String) throws {
    let folder = try TemporaryFolder()
    if let text { try folder.write(".netrc", text) }
    let bench = try bench("netrc: true", environment: ["HOME": folder.path])
    let error = #expect(throws: PipelineError.self) {
      try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil)
    }
    #expect(error?.kind == .refused && error?.message.contains(words) == true, "\(error?.message ?? "")")
    let script = Script([])
    #expect(try bench.run(script).failure?.kind == .refused && script.requests.isEmpty)
    try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil, asksServers: false)
  }

  @Test func `without a word of the mapping no file is read`() throws {
    let folder = try TemporaryFolder()
    try folder.write(".netrc", "machine api.example.test login ada password net-quince")
    for auth in ["netrc: false", "bearer: {token: '${secret.P}'}"] {
      let script = Script([.ok(#"{"items": []}"#)])
      #expect(try bench(auth, environment: ["HOME": folder.path]).run(script).failure == nil)
      #expect(script.requests.allSatisfy { $0.basic == nil })
    }
  }
}
