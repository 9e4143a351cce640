import Fetch
import Pipeline
import Testing

/// What rules read around a body: status, headers, the request, variables, the run.
struct AnswerContextTests {
  private func bench(_ rules: String, paginate: String = "") throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
      variables: {owner: ada}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints:
        items: {path: "/of/:owner", records: {items: Item}, params: {page: 2}, errors: [\(rules)]\(paginate)}
      """)
  }

  @Test(arguments: [
    ("$response.status: 202", true), ("$response.status: 200", false), ("$response.status: {gte: 201}", true),
    ("$response.headers.x-state: gone", true), ("$response.headers.X-State: gone", true),
    ("$response.headers.x-state: {exists: false}", false), ("$response.headers.none: null", true),
    ("$request.url: 'https://api.example.test/of/ada?page=2'", true), ("$request.url: {matches: GET}", false),
    ("$query.page: '2'", true), ("$query.page: 2", true), ("$query.none: {exists: true}", false),
    ("$route.owner: ada", true), ("$route.owner: bob", false), ("$var.owner: ada", true), ("$run.id: 1", true),
    ("$fetched_at: {matches: '^20'}", true), ("$root.ok: true", true),
    ("$response.status: 202, ok: true", true), ("$response.status: 202, ok: false", false),
    ("not: {$response.status: 202}", false), ("'errors[*].code': {exists: true}", true),
    ("'errors[*].code': {type: array}", true), ("'nothing[*].code': {exists: true}", false),
  ])
  func `a rule's condition reads what is around the body`(_ condition: String, _ holds: Bool) throws {
    let body = #"{"ok": true, "errors": [{"code": 1}], "items": [{"id": 1}]}"#
    let script = Script([.status(202, body, headers: [HTTPHeader("X-State", "gone")])])
    let run = try bench("{when: {\(condition)}}").run(script)
    #expect((run.failure != nil) == holds, "\(run.failure?.message ?? "")")
  }

  @Test func `a rule that reads no body holds whatever the body is`() throws {
    let rule =
      "{when: {$response.headers.x-error: {exists: true}}, message: $response.headers.x-error, code: $response.status}"
    let script = Script([.status(200, "no JSON", headers: [HTTPHeader("X-Error", "quota")])])
    let run = try bench(rule).run(script)
    #expect(run.failure?.message.hasSuffix("answered 200 (200): quota") == true)
  }

  @Test func `a member that a rule reads and that stands twice makes an error of the answer`() throws {
    let bench = try bench("{when: {ok: false}}")
    let run = try bench.run(Script(bodies: [#"{"ok": false, "ok": true, "items": [{"id": 1}]}"#]))
    #expect(run.failure != nil)
    #expect(try bench.rows("SELECT code FROM _ingest_errors") == ["duplicate-member"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
  }

  @Test(arguments: [
    ("stop_when: {$response.headers.x-last: 'yes'}", ["x-last": "yes"], 1),
    ("stop_when: {$response.headers.x-last: 'yes'}", [:], 2),
    ("stop_when: {$response.status: 200}", [:], 1), ("stop_when: {$var.owner: bob}", [:], 2),
    ("total: $response.headers.x-total", ["x-total": "1"], 1),
    ("total_pages: $response.headers.x-pages", ["x-pages": "1"], 1),
    ("has_more: $response.headers.x-more", ["x-more": "true"], 2),
    ("has_more: $response.headers.x-more", ["x-more": "false"], 1), ("has_more: $response.headers.x-more", [:], 1),
  ])
  func `paging reads what is around the body`(_ rule: String, _ headers: [String: String], _ requests: Int) throws {
    let bench = try bench("", paginate: ", paginate: {by: page, param: p, start: 1, \(rule)}")
    let named = headers.map { HTTPHeader($0.key, $0.value) }
    let script = Script([
      .status(200, #"{"items": [{"id": 1}]}"#, headers: named), .status(200, #"{"items": []}"#),
    ])
    let run = try bench.run(script)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(script.requests.count == requests)
  }

  @Test func `of a body that is handed in, what is not known is missing`() throws {
    let bench = try bench("{when: {$response.status: 202}, action: ignore}, {when: {$request.url: {exists: true}}}")
    let body = #"{"items": [{"id": 1}]}"#
    #expect(try bench.load([body]).counts == ["Item: 1 = 1 inserted"])
    #expect(try bench.load([body], status: 202).warnings.count == 1)
    #expect(try bench.load([body], route: .path("/of/ada", method: "GET")).failure != nil)
  }
}
