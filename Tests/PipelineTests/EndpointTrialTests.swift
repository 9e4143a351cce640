import Fetch
import JSONReading
import Pipeline
import PlanCompiler
import Records
import Store
import Testing
import Values

/// One request of an endpoint, and what is said of it.
struct EndpointTrialTests {
  private func bench(_ endpoints: String, records: String = items, source: String = "", secrets: [String: String] = [:])
    throws -> Bench
  {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", \(source)}
      records: {\(records)}
      endpoints: {\(endpoints)}
      """, secrets: secrets)
  }

  private static let items = "Item: {table: items, key: id, fields: {id: {type: integer}, name: {type: text}}}"

  private func report(
    _ bench: Bench, _ script: Script, _ name: String = "items", stored: any Store = EmptyStore(),
    bound: [(name: String, value: Literal)] = []
  ) throws -> TrialReport {
    var scope = bench.scope
    scope.each = bound
    let trial = EndpointTrial(
      mapping: bench.mapping, plan: bench.plan, scope: scope, redactor: bench.redactor, transport: script,
      clock: ManualClock(), asksServers: true, isInterrupted: { false })
    return try trial.run(name, stored: stored) { _ in }
  }

  @Test func `the first request is made once, and the answer is taken apart`() throws {
    let bench = try bench(
      "items: {path: /items, records: {items: Item}, paginate: {by: page, param: page, start: 1}}, "
        + "others: {path: /others, fetch: false, records: {items: Item}}")
    let body =
      #"{"count": 3, "items": [{"id": 1, "name": "bolt", "colour": "red"}, {"id": "x", "a.b": [1, null]}, {"id": 2, "name": null}]}"#
    let script = Script(bodies: [body])
    let report = try report(bench, script)
    #expect(script.lines == ["GET /items?page=1"])
    #expect(report.request == "GET https://api.example.test/items?page=1")
    #expect(report.status == 200 && report.contentType == "application/json" && report.size == body.utf8.count)
    #expect(
      report.members?.lines.map { "\($0.path): \($0.kinds)" } == [
        "count: number", "items: array of 3", "items[*].id: number or string",
        "items[*].name: string or null, in 2 of 3", "items[*].colour: string, in 1 of 3",
        #"items[*]."a.b": array of 2, in 1 of 3"#, #"items[*]."a.b"[*]: number or null"#,
      ])
    #expect(
      report.places.map { "\($0.descriptor): \($0.outcome)" } == [
        "items: any method /items 'items' → Item: 3 records", "others: any method /others 'items' → Item: another path",
      ])
    #expect(report.places[0].unmapped == ["colour", #""a.b""#])
    #expect(report.rows.map(\.table) == ["items"] && report.rows[0].count == 2)
    #expect(report.rows[0].rows == [[.integer(1), .text("bolt")], [.integer(2), .null]])
    #expect(report.summary.rejected == 1 && report.summary.preview.map(\.pointer) == ["/items/1"])
    #expect(report.failure == nil && report.passed == nil)
  }

  @Test func `what nothing maps is told of nested records too`() throws {
    let bench = try bench(
      "items: {path: /items, records: {'a[*].items': Item}}",
      records:
        "Item: {table: items, key: id, fields: [id], relationships: {spot: {record: Spot, from: .}, subs: [Sub]}}, "
        + "Spot: {fields: {x: at.x}}, Sub: {fields: [n]}")
    let report = try report(
      bench,
      Script(bodies: [#"{"a": [{"items": [{"id": 1, "at": {"x": 1}, "subs": [{"n": 1, "m": 2}], "z": 1}]}], "b": 1}"#]))
    #expect(report.places[0].unmapped == ["z", "subs.m"] && report.places[0].outcome == "1 record")
  }

  @Test(arguments: [
    ("{\"others\": []}", "none of the key paths is there: 'items' (Item): it leads nowhere", "it is not there"),
    ("{\"items\": ", "the body ends", "the body cannot be read"),
  ])
  func `a body that is not taken fails, and is shown all the same`(_ body: String, _ reason: String, _ outcome: String)
    throws
  {
    let bench = try bench("items: {path: /items, records: {items: Item}}")
    let report = try report(bench, Script(bodies: [body]))
    #expect(report.failure?.message.contains(reason) ?? false, "\(report)")
    #expect(report.places[0].outcome == outcome && report.rows.isEmpty && report.status == 200)
    #expect((report.members != nil) == body.hasSuffix("}"))
  }

  @Test func `an error answer is judged by its rules, and asked for once`() throws {
    let rules =
      "errors: [{status: 404, action: ignore}, {status: 410, action: stop}, {status: 4xx, message: m, code: c}]"
    let bench = try bench("items: {path: /items, records: {items: Item}, \(rules)}")
    for (status, body) in [(400, #"{"m": "no such plan", "c": 17}"#), (503, #"{"m": "later"}"#)] {
      let script = Script([.status(status, body), .ok("{}")])
      let report = try report(bench, script)
      #expect(script.requests.count == 1 && report.status == status && report.failure?.kind == .failed)
      #expect(report.failure?.message.contains(status == 400 ? "(17): no such plan" : "answered 503") ?? false)
      #expect(report.members?.lines.first?.path == "m")
    }
    for status in [404, 410] {
      let report = try report(bench, Script([.status(status, "{}")]))
      #expect(
        report.failure == nil && report.passed?.contains("an error rule says") ?? false && report.status == status)
    }
    let dropped = try report(bench, Script([.failure(FetchError(.dropped, "the line was cut"))]))
    #expect(dropped.status == nil && dropped.failure?.message.contains("the line was cut") ?? false)
  }

  @Test func `an empty answer is a success without rows`() throws {
    let bench = try bench("items: {path: /items, records: {items: Item}}")
    for answer: Script.Answer in [.status(204), .ok("[]"), .ok(" ")] {
      let report = try report(bench, Script([answer]))
      #expect(report.failure == nil && report.rows.isEmpty, "\(report)")
    }
  }

  @Test func `lines are laid over one another`() throws {
    let bench = try bench("items: {path: /items, format: ndjson, records: {.: Item}}")
    let report = try report(bench, Script(bodies: ["{\"id\": 1}\n{\"id\": 2, \"name\": \"b\"}\n"]))
    #expect(report.members?.lines.map { "\($0.path): \($0.kinds)" } == ["id: number", "name: string, in 1 of 2"])
    #expect(report.places[0].outcome == "2 records" && report.rows[0].count == 2)
  }

  @Test func `no credential is told`() throws {
    let bench = try bench(
      "items: {path: '/items/${secret.KEY}', records: {items: Item}}",
      source: "auth: {api_key: {query: k, value: '${secret.KEY}'}}",
      secrets: ["KEY": "plum-7f3k"])
    let report = try report(bench, Script([.status(403, "plum-7f3k")]))
    #expect(report.request == "GET https://api.example.test/items/***?k=***")
    #expect(!(report.failure?.message.contains("plum") ?? true))
  }

  // MARK: what a walk is bound to

  @Test func `a for_each takes its first value, its first stored row, or what the command gives`() throws {
    let owner = "path: '/o/:owner', records: {items: Item}"
    let values = try bench("items: {\(owner), for_each: {values: [a, b], bind: owner}}")
    let script = Script(bodies: ["{}", "{}"])
    _ = try report(values, script)
    _ = try report(values, script, bound: [("owner", .text("c/d"))])
    #expect(script.lines == ["GET /o/a", "GET /o/c%2Fd"])
    let rows = try bench(
      "items: {\(owner), for_each: {record: Repo, bind: {owner: login}}}",
      records: Self.items + ", Repo: {key: login, fields: [login]}")
    let error = #expect(throws: PipelineError.self) { _ = try report(rows, script) }
    #expect(error?.kind == .refused && error?.message.contains("there are none yet: use --set owner=…") ?? false)
    try rows.change("CREATE TABLE repo (login TEXT)")
    try rows.change("INSERT INTO repo VALUES ('x'), ('y')")
    let first = Script(bodies: ["{}"])
    _ = try report(rows, first, stored: rows.open())
    #expect(first.lines == ["GET /o/x"])
  }

  @Test func `an endpoint that is not there is named, with those that are`() throws {
    let bench = try bench("items: {path: /items, records: {items: Item}}")
    let error = #expect(throws: PipelineError.self) { _ = try report(bench, Script([]), "itms") }
    #expect(error?.kind == .refused && error?.message == "no endpoint is named 'itms'; there are 'items'")
  }
}
