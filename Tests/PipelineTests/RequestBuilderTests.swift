import Fetch
import Pipeline
import Testing
import Values

struct RequestBuilderTests {
  /// The first request of a mapping with these `source` keys and endpoint keys.
  private func request(
    _ source: String, _ endpoint: String = "path: /items", variables: [(name: String, value: Literal)] = []
  ) throws -> HTTPRequest {
    let names = variables.map { "\($0.name): {type: text}" }.joined(separator: ", ")
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test/base/"\(source.isEmpty ? "" : ", ")\(source)}
      variables: {\(names)}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {records: {items: Item}, \(endpoint)}}
      """, variables: variables, secrets: ["KEY": "plum/7f3k+quince", "USER": "ada"])
    let script = Script(bodies: ["[]"])
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    return try #require(script.requests.first)
  }

  @Test(arguments: [
    ("params: {a: 1, b: 2}", "params: {c: 3}", "a=1&b=2&c=3"),
    ("params: {a: 1, b: 2}", "params: {c: 3, a: 9}", "b=2&c=3&a=9"),
    ("params: {a: 1, b: 2}", "params: {a: null}", "b=2"),
    ("params: {a: null}", "params: {b: null}", ""),
    ("", "params: {a: [1, 2, x], b: []}", "a=1&a=2&a=x"),
    ("", "params: {q: 'a b&c=d', n: 1.50, f: true, z: 012, é: é}", "q=a%20b%26c%3Dd&n=1.50&f=true&z=012&%C3%A9=%C3%A9"),
    ("", "params: {a: ''}", "a="),
  ])
  func `parameters override by name, null leaves one out, a list repeats it`(
    _ source: String, _ endpoint: String, _ query: String
  ) throws {
    let url = try request(source, "path: /items, \(endpoint)").url
    #expect(url == "https://api.example.test/base/items" + (query.isEmpty ? "" : "?\(query)"))
  }

  @Test func `a header of the endpoint overrides the source's, whatever its letter case`() throws {
    let request = try request(
      "headers: {Accept: application/json, X-Token: '${secret.KEY}'}",
      "path: /items, headers: {ACCEPT: text/json, X-Own: a}")
    #expect(
      request.headers.map { "\($0.name): \($0.value) \($0.isCredential)" } == [
        "X-Token: plum/7f3k+quince true", "ACCEPT: text/json false", "X-Own: a false",
      ])
  }

  @Test(arguments: [
    ("auth: {api_key: {query: key, value: '${secret.KEY}'}}", "?p=1&key=plum%2F7f3k%2Bquince", "", ["key"]),
    ("auth: {api_key: {header: X-Key, value: '${secret.KEY}'}}", "?p=1", "X-Key: plum/7f3k+quince", []),
    ("auth: {api_key: {cookie: k, value: '${secret.KEY}'}}", "?p=1", "Cookie: k=plum/7f3k+quince", []),
    ("auth: {bearer: {token: '${secret.KEY}'}}", "?p=1", "Authorization: Bearer plum/7f3k+quince", []),
    ("params: {s: '${secret.KEY}'}", "?s=plum%2F7f3k%2Bquince&p=1", "", ["s"]),
  ])
  func `credentials are marked as such`(
    _ source: String, _ query: String, _ header: String, _ credentials: [String]
  ) throws {
    let request = try request(source, "path: /items, params: {p: 1}")
    #expect(request.url == "https://api.example.test/base/items" + query)
    #expect(request.headers.map { "\($0.name): \($0.value)" } == (header.isEmpty ? [] : [header]))
    #expect(request.headers.allSatisfy { $0.isCredential })
    #expect(request.credentialParams == credentials)
  }

  @Test func `basic authentication keeps user name and password apart`() throws {
    let request = try request("auth: {basic: {username: '${secret.USER}', password: '${secret.KEY}'}}")
    #expect(request.basic?.username == "ada" && request.basic?.password == "plum/7f3k+quince")
    #expect(request.url == "https://api.example.test/base/items" && request.headers.isEmpty)
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("a/b", "a%2Fb"), ("..", "%2E%2E"), (".", "%2E"), ("é?#", "%C3%A9%3F%23"), ("%2F", "%252F"),
  ])
  func `a value in a path is one segment, never resolved`(_ value: String, _ segment: String) throws {
    for path in ["\"/x/${name}/y\"", "\"/x/:name/y\"", "\"/x/{name}/y/\""] {
      let url = try request("", "path: \(path)", variables: [("name", .text(value))]).url
      #expect(url.hasPrefix("https://api.example.test/base/x/\(segment)/y"), "\(url)")
    }
  }

  @Test(arguments: [
    (
      "params: {a: '${secret.NONE}'}",
      "'secret.NONE' has no value: set NONE in the environment, or give a file by --secrets"
    ),
    ("headers: {X: '${env.NONE}'}", "'env.NONE' has no value: set NONE in the environment"),
  ])
  func `what has no value is found before anything is asked`(_ source: String, _ message: String) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", \(source)}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """)
    let script = Script(bodies: ["[]"])
    let run = try bench.run(script)
    let failure = try #require(run.failure)
    #expect(failure.kind == .refused && failure.message.hasSuffix(": \(message)"), "\(failure.message)")
    #expect(failure.message.contains(":2:"), "\(failure.message)")
    #expect(script.requests.isEmpty)
    let early = #expect(throws: PipelineError.self) {
      try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil)
    }
    #expect(early?.message == failure.message)
  }

  @Test func `no form of a secret is in a message, a table or a source`() throws {
    let secret = "plum/7f3k+quince"
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", params: {key: '${secret.KEY}'}, retry: {attempts: 2}}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}, url: $request.url}}}
      endpoints: {items: {path: /items, records: {items: Item}, paginate: {by: page, param: p, start: 0}}}
      errors: [{status: 4xx, message: m, code: c}]
      """, secrets: ["KEY": secret])
    let encoded = "plum%2F7f3k%2Bquince"
    let run = try bench.run(
      Script([
        .ok(#"{"items": [{"id": 1}, {"id": "x"}]}"#), .status(503, "down: \(secret)"),
        .status(400, #"{"m": "bad key \#(secret) \#(encoded)", "c": "\#(encoded)"}"#),
      ]))
    let tables = ["items", "_ingest_errors", "_ingest_rejects", "_ingest_runs", "_ingest_counts"]
    let said =
      run.messages.map(\.text) + [run.failure?.message ?? ""] + run.summary.preview.map(\.source)
      + (try tables.flatMap { try bench.rows("SELECT * FROM \($0)") })
    #expect(said.contains { $0.contains("bad key") })
    for text in said {
      for form in [secret, encoded, "cGx1bS83ZjNrK3F1aW5jZQ"] { #expect(!text.contains(form), "\(text)") }
    }
  }
}
