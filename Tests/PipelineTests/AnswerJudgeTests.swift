import Pipeline
import Testing

/// What becomes of an answer: error rules, statuses, conditions, the API's own words.
struct JudgedAnswer: Sendable, CustomTestStringConvertible {
  /// `errors` of the endpoint and of the top level, each as a YAML list.
  var endpoint = "[]"
  var top = "[]"
  var status = 200
  var body = "{}"
  /// `taken`, `ignored`, `stopped`, or what the failure says behind `answered`.
  var outcome: String
  /// `status|code|message|action`; nil: nothing is kept.
  var kept: String?

  var testDescription: String { "\(endpoint) \(top) \(status) \(body)" }
}

struct AnswerJudgeTests {
  private func bench(_ endpoint: String, _ top: String) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, fetch: false, records: {items: Item}, errors: \(endpoint)}}
      errors: \(top)
      """)
  }

  private static let fail = "{status: 4xx, message: [error.text, message], code: error.code}"
  private static let notOK = "{when: {ok: false}, message: error, code: code}"

  @Test(arguments: [
    JudgedAnswer(body: #"{"items": [{"id": 1}]}"#, outcome: "taken"),
    JudgedAnswer(status: 201, body: #"{"items": [{"id": 1}]}"#, outcome: "taken"),
    // Without a rule: the status and the body's beginning.
    JudgedAnswer(
      status: 404, body: #"{"x": 1}"#, outcome: #"404; the body begins: {"x": 1}"#, kept: "404|null|null|fail"),
    JudgedAnswer(status: 301, body: "", outcome: "301", kept: "301|null|null|fail"),
    JudgedAnswer(
      status: 404, body: #"{"items": [{"id": 1}]}"#, outcome: #"404; the body begins: {"items": [{"id": 1}]}"#,
      kept: "404|null|null|fail"),
    // Rules: message and code, first present, projections joined.
    JudgedAnswer(
      top: "[\(fail)]", status: 404, body: #"{"error": {"text": "no such list", "code": 17}}"#,
      outcome: "404 (17): no such list", kept: "404|17|no such list|fail"),
    JudgedAnswer(
      top: "[\(fail)]", status: 400, body: #"{"message": "bad", "error": {"text": null}}"#, outcome: "400: bad",
      kept: "400|null|bad|fail"),
    JudgedAnswer(
      top: "[\(fail)]", status: 400, body: "<html>no JSON</html>",
      outcome: "400; it has nothing at 'error.text', 'message', 'error.code', where its rule in 'errors' looks for the "
        + "API's words",
      kept: "400|null|null|fail"),
    JudgedAnswer(
      top: "[\(fail)]", status: 500, body: #"{"message": "x"}"#, outcome: #"500; the body begins: {"message": "x"}"#,
      kept: "500|null|null|fail"),
    JudgedAnswer(
      top: "[{status: 422, message: 'errors[*].text'}]", status: 422,
      body: #"{"errors": [{"text": "a"}, {"n": 1}, {"text": "b"}]}"#, outcome: "422: a, b", kept: "422|null|a, b|fail"),
    JudgedAnswer(
      top: "[{status: 422, message: 'errors[0]'}]", status: 422, body: #"{"errors": ["a", "b"]}"#, outcome: "422: a",
      kept: "422|null|a|fail"),
    JudgedAnswer(
      top: "[{status: 422, message: errors}]", status: 422, body: #"{"errors": {"a": [1]}}"#,
      outcome: #"422: {"a": [1]}"#, kept: #"422|null|{"a": [1]}|fail"#),
    // A condition makes an error of a success, and picks among rules.
    JudgedAnswer(
      top: "[\(notOK)]", body: #"{"ok": false, "error": "quota", "code": 3, "items": [{"id": 1}]}"#,
      outcome: "200 (3): quota", kept: "200|3|quota|fail"),
    JudgedAnswer(top: "[\(notOK)]", body: #"{"ok": true, "error": "quota", "items": [{"id": 1}]}"#, outcome: "taken"),
    JudgedAnswer(top: "[\(notOK)]", body: #"{"items": [{"id": 1}]}"#, outcome: "taken"),
    JudgedAnswer(
      top: "[{status: 404, when: {code: [1, 2]}, action: ignore}, {status: 404, message: m}]", status: 404,
      body: #"{"code": 2, "m": "x"}"#, outcome: "ignored", kept: "404|null|null|ignore"),
    JudgedAnswer(
      top: "[{status: 404, when: {code: [1, 2]}, action: ignore}, {status: 404, message: m}]", status: 404,
      body: #"{"code": 3, "m": "x"}"#, outcome: "404: x", kept: "404|null|x|fail"),
    JudgedAnswer(
      top: "[{status: 404, when: {code: 1}, action: ignore}]", status: 404, body: "no JSON",
      outcome: "404; the body begins: no JSON", kept: "404|null|null|fail"),
    // A status alone makes an error of a success, too.
    JudgedAnswer(
      top: "[{status: 200, message: m}]", body: #"{"m": "x", "items": []}"#,
      outcome: "200: x", kept: "200|null|x|fail"),
    // Actions.
    JudgedAnswer(
      top: "[{status: 404, action: ignore, message: m}]", status: 404, body: #"{"m": "gone"}"#, outcome: "ignored",
      kept: "404|null|gone|ignore"),
    JudgedAnswer(
      top: "[{status: 404, action: stop}]", status: 404, body: #"{"items": [{"id": 1}]}"#, outcome: "stopped",
      kept: "404|null|null|stop"),
    JudgedAnswer(
      top: "[{status: 503, action: retry}]", status: 503, body: "{}", outcome: "503", kept: "503|null|null|fail"),
    JudgedAnswer(
      top: "[{when: {ok: false}, action: stop}]", body: #"{"ok": false}"#, outcome: "stopped",
      kept: "200|null|null|stop"),
    // The endpoint's own come first, in the order written.
    JudgedAnswer(
      endpoint: "[{status: 404, action: ignore}]", top: "[{status: 404, action: fail}]", status: 404, body: "",
      outcome: "ignored", kept: "404|null|null|ignore"),
    JudgedAnswer(
      endpoint: "[{status: 404, action: fail}]", top: "[{status: 404, action: ignore}]", status: 404, body: "",
      outcome: "404", kept: "404|null|null|fail"),
    JudgedAnswer(
      endpoint: "[{status: 410, action: fail}]", top: "[{status: 4xx, action: ignore}]", status: 404, body: "",
      outcome: "ignored", kept: "404|null|null|ignore"),
    JudgedAnswer(
      endpoint: "[{status: [400, 410-412, 5xx], action: ignore}]", status: 411, body: "", outcome: "ignored",
      kept: "411|null|null|ignore"),
    JudgedAnswer(
      endpoint: "[{status: [400, 410-412, 5xx], action: ignore}]", status: 413, body: "", outcome: "413",
      kept: "413|null|null|fail"),
  ])
  func `an answer is judged by the first rule that fits`(_ test: JudgedAnswer) throws {
    let bench = try bench(test.endpoint, test.top)
    let run = try bench.load([test.body], status: test.status)
    let outcome =
      if let message = run.failure?.message {
        message.split(separator: " answered ", maxSplits: 1).last.map(String.init) ?? message
      } else if run.messages.isEmpty {
        "taken"
      } else {
        run.warnings.isEmpty ? "stopped" : "ignored"
      }
    #expect(outcome == test.outcome)
    let items = try bench.rows("SELECT id FROM items")
    #expect(items == (test.outcome == "taken" ? ["1"] : []), "an error body reaches no table")
    let kept = try bench.rows("SELECT status, code, message, action FROM _ingest_errors ORDER BY rowid")
    #expect(kept.first == test.kept)
  }

  @Test(arguments: [("ignore", ["2"]), ("stop", []), ("fail", [])])
  func `after an ignored answer the next body is read, after one that stops none is`(
    _ action: String, _ ids: [String]
  ) throws {
    let bench = try bench("[{when: {ok: false}, action: \(action)}]", "[]")
    try bench.load([#"{"ok": false, "items": [{"id": 1}]}"#, #"{"ok": true, "items": [{"id": 2}]}"#])
    #expect(try bench.rows("SELECT id FROM items") == ids)
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["1"])
  }

  @Test func `an excerpt is bounded, and a failure names endpoint, method and body`() throws {
    let bench = try bench("[]", "[]")
    let run = try bench.load([String(repeating: "x", count: 5000)], status: 500)
    #expect(
      run.failure?.message.hasPrefix("endpoint 'items': GET body-0.json answered 500; the body begins: xxx") == true)
    #expect((run.failure?.message.count ?? 0) < 600)
    #expect(
      try bench.rows("SELECT length(excerpt), endpoint, attempt, url FROM _ingest_errors") == ["500|items|1|null"])
  }
}
