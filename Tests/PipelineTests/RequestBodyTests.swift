import Fetch
import Pipeline
import Testing
import Values

/// Bodies of requests: JSON, forms and texts, their types, what they are sent as, and when they are sent again.
struct RequestBodyTests {
  private static let variables =
    "n: {type: integer, default: 25}, f: {type: decimal, default: '0.10'}, b: true, "
    + "t: '07', d: {type: date, default: 2024-02-29}, big: 12345678901234567890123, z: 1.50"

  private func request(_ endpoint: String, source: String = "") throws -> HTTPRequest {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", \(source)}
      variables: {\(Self.variables)}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}, \(endpoint)}}
      """, secrets: ["KEY": "plum\"7\\f"])
    let script = Script(bodies: ["[]"])
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    return try #require(script.requests.first)
  }

  private func body(_ endpoint: String) throws -> String {
    String(decoding: try #require(try request("method: POST, body: \(endpoint)").body), as: UTF8.self)
  }

  @Test(arguments: [
    ("{}", "{}"), ("[]", "[]"), ("null", "null"), ("5", "5"), ("text", "\"text\""), ("\"\"", "\"\""),
    ("{b: 1, a: [1, x y, null], c: {z: null, y: 1.5}}", #"{"b":1,"a":[1,"x y",null],"c":{"z":null,"y":1.5}}"#),
    // A value that is one reference keeps its type, a text that holds one is text.
    ("{n: '${n}', b: '${b}', t: '${t}', d: '${d}'}", #"{"n":25,"b":true,"t":"07","d":"2024-02-29"}"#),
    ("{n: 'n ${n}', b: '${b}${b}', d: '${d:dd.MM.yyyy}'}", #"{"n":"n 25","b":"truetrue","d":"29.02.2024"}"#),
    ("['${today-7d}', '${now}']", #"["2015-06-27","2015-07-04T10:00:00Z"]"#),
    // Numbers are exact.
    (
      "[1e400, -0.0, 12345678901234567890.10, +5, .5, 5., 1E-7, '${big}', '${z}', '${f}']",
      #"[1e400,-0.0,12345678901234567890.10,5,0.5,5,1E-7,12345678901234567890123,1.50,"0.10"]"#
    ),
    ("{q: 'query { a(b: $c) }', l: '$${n}', '$${m}': 1}", #"{"q":"query { a(b: $c) }","l":"${n}","${m}":1}"#),
    (#"["é\u0000\n\t\"\\", "\u2028"]"#, "[\"é\\u0000\\n\\t\\\"\\\\\",\"\u{2028}\"]"),
    ("{s: '${secret.KEY}'}", #"{"s":"plum\"7\\f"}"#),
    ("{1: a, true: b, 2.50: c}", #"{"1":"a","true":"b","2.50":"c"}"#),
  ])
  func `JSON is minified in the order written`(_ yaml: String, _ json: String) throws {
    #expect(try body("{json: \(yaml)}") == json)
  }

  @Test(arguments: [
    (
      "{form: {q: 'nuts&bolts', n: 5, none: null, l: [1, x, '${n}'], e: '', 'a b': é, f: '${f}'}}",
      "q=nuts%26bolts&n=5&l=1&l=x&l=25&e=&a%20b=%C3%A9&f=0.10"
    ),
    ("{form: {}}", ""), ("{text: 'a ${n} = b'}", "a 25 = b"), ("{text: 5}", "5"), ("{text: ''}", ""),
  ])
  func `a form is encoded, a text is sent as it is`(_ yaml: String, _ text: String) throws {
    #expect(try body(yaml) == text)
  }

  @Test(arguments: [
    ("body: {json: {}}", "Content-Type: application/json"),
    ("body: {form: {a: 1}}", "Content-Type: application/x-www-form-urlencoded"),
    ("body: {text: a}", "Content-Type: text/plain; charset=utf-8"),
    ("body: {json: {}}, headers: {content-TYPE: application/vnd.api+json}", "content-TYPE: application/vnd.api+json"),
    ("headers: {X-A: b}", "X-A: b"),
  ])
  func `a body is sent as its type, unless a header says otherwise`(_ endpoint: String, _ header: String) throws {
    #expect(try request("method: POST, \(endpoint)").headers.map { "\($0.name): \($0.value)" } == [header])
  }

  @Test func `a header of the source names the type too`() throws {
    let request = try request("method: PUT, body: {text: '{}'}", source: "headers: {Content-Type: text/json}")
    #expect(request.headers.map(\.value) == ["text/json"] && request.method == "PUT")
  }

  @Test func `without a method a body goes with a GET`() throws {
    let request = try request("body: {json: {q: 1}}")
    #expect(request.method == "GET" && request.body == Array(#"{"q":1}"#.utf8))
    #expect(try self.request("method: POST").body == nil)
  }

  @Test(arguments: [
    ("{json: {a: [{b: 'x ${secret.KEY}'}]}}", true), ("{form: {a: [1, '${secret.KEY}']}}", true),
    ("{text: '${secret.KEY}'}", true), ("{json: {a: '${t}'}}", false),
  ])
  func `a body that holds a secret is a credential`(_ yaml: String, _ isCredential: Bool) throws {
    #expect(try request("method: POST, body: \(yaml)").bodyIsCredential == isCredential)
  }

  @Test(arguments: [
    ("{json: {a: '${v}'}}", "'v' has no value: use --set v=…"), ("{form: {a: '${v}'}}", "'v' has no value"),
    ("{text: '${v}'}", "'v' has no value"), ("{json: ['${secret.NONE}']}", "'secret.NONE' has no value"),
  ])
  func `what has no value is found before anything is asked`(_ yaml: String, _ message: String) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      variables: {v: null}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, method: POST, body: \(yaml), records: {items: Item}, params: {v: '${v}'}}}
      """, variables: yaml.contains("secret") ? [("v", .text("x"))] : [])
    let error = #expect(throws: PipelineError.self) {
      try Walker.check(mapping: bench.mapping, plan: bench.plan, scope: bench.scope, endpoints: nil)
    }
    #expect(error?.kind == .refused && error?.message.contains(message) == true)
  }

  @Test func `variables of a body are part of the walk's scope`() throws {
    func bench(_ value: String, on other: Bench?) throws -> Bench {
      try Bench(
        """
        ingest: 1
        source: {name: demo, base_url: "https://api.example.test"}
        variables: {q: null}
        records: {Item: {key: id, sweep: true, fields: [id]}}
        endpoints: {items: {path: /items, method: POST, body: {json: {q: '${q}'}}, records: {items: Item}}}
        """, variables: [("q", .text(value))], on: other)
    }
    let one = try bench("a", on: nil)
    try one.run(Script(bodies: [#"{"items": [{"id": 1}, {"id": 2}]}"#]))
    // Rows that another scope has seen stay.
    try bench("b", on: one).run(Script(bodies: [#"{"items": [{"id": 3}]}"#]))
    #expect(try one.rows("SELECT id FROM item ORDER BY id") == ["1", "2", "3"])
    try bench("a", on: one).run(Script(bodies: [#"{"items": [{"id": 2}]}"#]))
    #expect(try one.rows("SELECT id FROM item ORDER BY id") == ["2", "3"])
  }

  // MARK: sent again

  private static let lost = Script.Answer.failure(FetchError(.timeout, "no answer within 30 s"))
  private static let unsent = Script.Answer.failure(FetchError(.connect, "refused", nothingSent: true))
  private static let taken = Script.Answer.ok(#"{"items": [{"id": 1}]}"#)

  @Test(arguments: [
    ("method: POST", [lost, taken], 1, "idempotent: true allows it"),
    ("method: PATCH", [lost, taken], 1, "idempotent"),
    ("method: POST, idempotent: true", [lost, taken], 2, nil), ("method: PUT", [lost, taken], 2, nil),
    ("method: POST", [unsent, taken], 2, nil), ("method: POST", [.status(503), taken], 2, nil),
    ("method: POST, idempotent: false", [.status(429), lost, taken], 2, "idempotent"),
    ("method: GET", [lost, taken], 2, nil),
  ])
  func `a POST that may have been carried out is not sent again`(
    _ endpoint: String, _ answers: [Script.Answer], _ requests: Int, _ failure: String?
  ) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, \(endpoint), body: {json: {q: 1}}, records: {items: Item}}}
      """)
    let script = Script(answers)
    let run = try bench.run(script)
    #expect(script.requests.count == requests)
    #expect(script.requests.allSatisfy { $0.body == Array(#"{"q":1}"#.utf8) })
    #expect((run.failure == nil) == (failure == nil))
    if let failure { #expect(run.failure?.message.contains(failure) == true, "\(run.failure?.message ?? "")") }
  }
}
