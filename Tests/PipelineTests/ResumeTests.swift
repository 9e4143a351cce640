import Fetch
import Pipeline
import PlanCompiler
import Testing
import Values

/// What a run that was cut leaves, and what the next one makes of it.
struct ResumeTests {
  private static func yaml(_ more: String = "", record: String = "", variables: String = "{}") -> String {
    """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
    variables: \(variables)
    records: {Item: {table: items, key: id, fields: [{id: {type: integer}}]\(record)}}
    endpoints:
      first: {path: /first, records: {items: Item}}
      items: {path: /items, records: {items: Item}, paginate: {by: page, param: page, start: 1}\(more)}
    """
  }

  private static func page(_ ids: Int...) -> Script.Answer {
    .ok("{\"items\": [\(ids.map { "{\"id\": \($0)}" }.joined(separator: ", "))]}")
  }

  private static let cut = Script.Answer.failure(FetchError(.interrupted, "cut"))

  @Test func `a run that was cut passes over what it completed, and goes on one page earlier`() throws {
    let bench = try Bench(Self.yaml())
    let one = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    #expect(one.failure?.kind == .interrupted)
    let script = Script([Self.page(3), Self.page(4), Self.page()])
    let two = try bench.run(script)
    #expect(two.failure == nil)
    #expect(script.lines == ["GET /items?page=2", "GET /items?page=3", "GET /items?page=4"])
    #expect(two.messages.contains { $0.text.hasPrefix("endpoint 'first': passed over") })
    let three = Script([Self.page(1), Self.page()])
    #expect(try bench.run(three).failure == nil)
    #expect(three.lines == ["GET /first", "GET /items?page=1"])
  }

  @Test func `a run that failed is walked again, its failed walk from where it was`() throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), .status(400)]))
    let script = Script([Self.page(1), Self.page(3), Self.page()])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /first", "GET /items?page=2", "GET /items?page=3"])
  }

  struct Change: Sendable {
    var name: String
    var hours = 0
    var options = WalkOptions()
  }

  @Test(arguments: [
    Change(name: "a day later", hours: 24),
    Change(name: "--full", options: WalkOptions(isFull: true)),
  ])
  func `a cut walk is not continued`(_ change: Change) throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    let script = Script([Self.page(1), Self.page(2), Self.page()])
    let clock = ManualClock()
    clock.sleep(.seconds(3600 * change.hours))
    #expect(try bench.run(script, clock: clock, options: change.options).failure == nil)
    #expect(script.lines == ["GET /first", "GET /items?page=1", "GET /items?page=2"])
  }

  /// What is replaced in the mapping, by what, and what the next run says of it; nil: it goes on.
  @Test(arguments: [
    ("  first: {path: /first", "  # changed\n  first: {path: /other", nil),
    ("retry: {attempts: 1}", "retry: {attempts: 2}, timeout: 9s, limits: {pages: 50}", nil),
    ("retry: {attempts: 1}", "retry: {attempts: 1}, auth: {bearer: {token: t}}", "('source.auth')"),
    (
      "records: {items: Item}, paginate", "on_failure: fail, archive: false, records: {\"items\": 'Item'}, paginate",
      nil
    ),
    ("{by: page, param: page, start: 1}", "{start: 1, max_pages: 90, param: page, by: page}", nil),
    ("variables: {}", "variables: {}\ntests: []", nil),
    ("variables: {}", "variables: {}\nerrors: [{status: 418, action: ignore}]", "('errors')"),
    ("key: id, ", "description: things, key: id, ", nil),
    ("/first, records: {items: Item}}", "/first, records: {items: Other}}\n", nil),
    ("{by: page, param: page,", "{by: page, param: p,", "('endpoints.items.paginate')"),
    ("{id: {type: integer}}", "{id: {type: text}}", "('records.Item')"),
    ("https://api.example.test", "https://api.example.test/", "('source.base_url')"),
    (
      "/items, records: {items: Item}", "/items, params: {a: b}, records: {items: Item, more: Other}",
      "('endpoints.items.params', 'endpoints.items.records', 'records.Other')"
    ),
    (
      "endpoints:", "endpoints:\n  extra: {path: /:any, fetch: false, records: {more: Item}}",
      "('endpoints.extra.path', 'endpoints.extra.records')"
    ),
  ])
  func `only what matters to a walk voids what was cut of it, and that is named`(
    _ old: String, _ new: String, _ said: String?
  ) throws {
    let yaml = Self.yaml().replacing("records: {Item", with: "records: {Other: {key: o, fields: [o]}, Item")
    let bench = try Bench(yaml)
    let one = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]), endpoints: ["items"])
    #expect(one.failure?.kind == .interrupted && yaml.contains(old))
    let script = Script([Self.page(3), Self.page(4), Self.page()])
    let run = try Bench(yaml.replacing(old, with: new), on: bench).run(script, endpoints: ["items"])
    let notice = run.messages.first { $0.text.contains("not continued") }?.text
    #expect(script.lines.first?.hasSuffix("=3") == (said == nil), "\(script.lines) \(notice ?? "")")
    #expect(notice?.contains(said ?? "?") ?? (said == nil), "\(notice ?? "")")
  }

  @Test(arguments: [
    ("region: {const: '${region}'}", "eu", true), ("region: {const: '${region}'}", "us", false),
    ("region: {from: $var.region}", "us", false), ("region: {const: '${env.REGION}'}", "eu", true),
  ])
  func `a cut walk goes on under the same values of variables alone`(
    _ field: String, _ region: String, _ goesOn: Bool
  ) throws {
    let bench = try Bench(
      Self.yaml(variables: "{region: eu}").replacing(
        "[{id: {type: integer}}]", with: "[{id: {type: integer}}, {\(field)}]"),
      environment: ["REGION": "eu"])
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]), endpoints: ["items"])
    var scope = bench.scope
    scope.variables[0].value = .text(region)
    let script = Script([Self.page(3), Self.page(4), Self.page()])
    _ = try bench.run(script, endpoints: ["items"], scope: scope)
    #expect(script.lines.first?.hasSuffix("=3") == goesOn, "\(script.lines)")
  }

  @Test func `a walk that was complete is passed over only if its endpoint is the same`() throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    let changed = Self.yaml().replacing(
      "/first, records: {items: Item}", with: "/first, records: {items: Item, a: Item}")
    let script = Script([Self.page(1), Self.page(3), Self.page()])
    #expect(try Bench(changed, on: bench).run(script).failure == nil)
    #expect(script.lines == ["GET /first", "GET /items?page=2", "GET /items?page=3"])
  }

  @Test func `what a walk received before the cut counts towards its bounds`() throws {
    let bench = try Bench(Self.yaml().replacing("start: 1", with: "start: 1, max_pages: 3"))
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    let script = Script([Self.page(3), Self.page(4), Self.page(5)])
    let run = try bench.run(script)
    #expect(script.lines == ["GET /items?page=2", "GET /items?page=3"])
    #expect(run.warnings == ["endpoint 'items': the walk is partial, it ends at 3 pages (max_pages)"])
  }

  @Test func `a walk that cannot be continued starts anew, once`() throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    let script = Script([.status(400), Self.page(2), Self.page()])
    let run = try bench.run(script)
    #expect(run.failure == nil)
    #expect(script.lines == ["GET /items?page=2", "GET /items?page=1", "GET /items?page=2"])
    #expect(run.warnings.contains { $0.hasSuffix("the walk, which was cut before, starts anew") })
  }

  @Test func `without an answer a cut walk stays as it is`() throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    _ = try bench.run(Script([.failure(FetchError(.connect, "refused", nothingSent: true))]), endpoints: ["items"])
    let script = Script([Self.page(3), Self.page()])
    _ = try bench.run(script, endpoints: ["items"])
    #expect(script.lines == ["GET /items?page=2", "GET /items?page=3"])
  }

  @Test func `a walk that replaces starts anew`() throws {
    let bench = try Bench(Self.yaml(record: ", write: replace"))
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.cut]), endpoints: ["items"])
    let script = Script([Self.page(2), Self.page()])
    #expect(try bench.run(script, endpoints: ["items"]).failure == nil)
    #expect(script.lines == ["GET /items?page=1", "GET /items?page=2"])
    #expect(try bench.rows("SELECT id FROM items") == ["2"])
  }

  @Test func `a continued walk sweeps nothing, also when only its end was missing`() throws {
    let bench = try Bench(Self.yaml(record: ", sweep: {max_delete: 100%}"))
    _ = try bench.run(Script([Self.page(1, 2), Self.page(3), Self.page()]), endpoints: ["items"])
    // As if the end of the walk had been cut off: its last page is stored, and nothing was swept.
    _ = try bench.run(Script([Self.page(1, 2), Self.page(3), Self.cut]), endpoints: ["items"])
    let run = try bench.run(Script([Self.page(3), Self.page()]), endpoints: ["items"])
    #expect(run.warnings == ["Item: nothing was swept: the walk was continued after a cut"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["3"])
  }

  @Test func `now stays what it was`() throws {
    let bench = try Bench(Self.yaml(", params: {until: '${now:yyyyMMddHHmmss}'}"))
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page(3), Self.cut]))
    let script = Script([Self.page(3), Self.page()])
    var later = bench.scope
    later.now = later.now.adding(seconds: 77)
    #expect(try bench.run(script, scope: later).failure == nil)
    #expect(
      script.lines == [
        "GET /items?until=20150704100000&page=2", "GET /items?until=20150704100000&page=3",
      ])
  }

  // MARK: what a complete run leaves

  @Test func `a complete run leaves nothing to continue`() throws {
    let bench = try Bench(Self.yaml())
    _ = try bench.run(Script([Self.page(1), Self.page(2), Self.page()]))
    #expect(
      try bench.rows("SELECT DISTINCT name FROM _ingest_state ORDER BY name") == ["complete"])
  }

  @Test func `stored rows serve after a failure only when a walk was complete`() throws {
    let bench = try Bench(Self.yaml(", on_failure: stored"))
    let one = try bench.run(Script([.status(400)]), endpoints: ["items"])
    #expect(one.failure?.message == "failed: 'items'; see above")
    _ = try bench.run(Script([Self.page(1), Self.page()]), endpoints: ["items"])
    let three = try bench.run(Script([.status(400)]), endpoints: ["items"])
    #expect(three.failure == nil)
    #expect(three.warnings.contains { $0.hasSuffix("what is stored is kept (on_failure: stored)") })
  }
}
