import Pipeline
import Foundation
import Testing

struct LoaderTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo}
    records:
      Repo: {table: repos, key: [owner, name], fields: {owner: $route.owner, name: , page: $query.page}}
      Issue: {table: issues, key: id, fields: {id: {type: integer}, repo: $route.repo}}
      Fault: {table: faults, key: code, fields: [code]}
    endpoints:
      repos: {path: "/users/:owner/repos", fetch: false, records: {repos: Repo}}
      issues: {path: "/repos/{owner}/{repo}/issues", method: GET, fetch: false, records: {issues: Issue}}
      faults: {path: "/repos/:owner/:repo/issues", status: 4xx, fetch: false, records: {faults: Fault}}
    """

  @Test(arguments: [
    ("/users/ada/repos?page=2", "GET", nil, #"{"repos": [{"name": "x"}]}"#, "repos", "ada|x|2"),
    ("/users/a%2Fb/repos/", "POST", 201, #"{"repos": [{"name": "x"}]}"#, "repos", "a/b|x|null"),
    ("/users/ada/repos?page=a%26b+c", "GET", 200, #"{"repos": [{"name": "x"}]}"#, "repos", "ada|x|a&b c"),
    ("/repos/o/r/issues", "GET", 200, #"{"issues": [{"id": 1}]}"#, "issues", "1|r"),
    ("/repos/o/r/issues", "GET", 404, #"{"faults": [{"code": 7}]}"#, "faults", "7"),
  ])
  func `a body is routed by its path, method and status`(
    _ path: String, _ method: String, _ status: Int?, _ body: String, _ table: String, _ row: String
  ) throws {
    let bench = try Bench(Self.mapping)
    let run = try bench.load([body], route: .path(path, method: method), status: status)
    #expect(run.failure == nil, "\(run.failure?.message ?? "")")
    #expect(try bench.contents().filter { !$0.value.isEmpty } == [table: [row]])
  }

  @Test(arguments: [
    ("/users/ada", "GET", "another path"), ("/", "PUT", "another path"),
    ("/Users/ada/repos", "GET", "another path"),
  ])
  func `when nothing matches, each descriptor says why`(_ path: String, _ method: String, _ reason: String) throws {
    let run = try Bench(Self.mapping).load([#"{"repos": []}"#], route: .path(path, method: method))
    #expect(run.failure?.kind == .failed)
    #expect(run.failure?.message.hasPrefix("nothing matches \(method) \(path): ") == true)
    #expect(run.failure?.message.contains(reason) == true)
    #expect(run.failure?.message.components(separatedBy: "; ").count == 5)
  }

  @Test func `several endpoints need a choice, and a name must be one of theirs`() throws {
    let bench = try Bench(Self.mapping)
    let none = try bench.load(["{}"], route: .endpoint(nil))
    #expect(none.failure?.kind == .refused)
    #expect(none.failure?.message.contains("'repos', 'issues', 'faults'") == true)
    let wrong = try bench.load(["{}"], route: .endpoint("repo"))
    #expect(wrong.failure?.kind == .refused)
    #expect(
      try bench.load([#"{"issues": [{"id": 1}]}"#], route: .endpoint("issues")).counts == ["Issue: 1 = 1 inserted"])
  }

  @Test func `values around the records are those of the response that was named`() throws {
    let bench = try Bench(
      records:
        "Item: {table: items, key: id, fields: {id: , url: $request.url, status: $response.status, run: $run.id}}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item}}")
    try bench.load([#"{"items": [{"id": 1}]}"#], route: .path("/items?a=1", method: "GET"), status: 203)
    #expect(try bench.rows("SELECT url, status, run FROM items") == ["/items?a=1|203|1"])
    try bench.load([#"{"items": [{"id": 1}]}"#])
    #expect(try bench.rows("SELECT url, status, run FROM items") == ["/items?a=1|200|2"], "missing: the column stays")
  }

  @Test func `the places of all endpoints that match apply`() throws {
    let bench = try Bench(
      records: "A: {key: id, fields: [id]}, B: {key: id, fields: [id]}",
      endpoints: "a: {path: /x, fetch: false, records: {a: A}}, b: {path: /x, fetch: false, records: {b: B}}")
    try bench.load([#"{"a": [{"id": 1}], "b": [{"id": 2}]}"#], route: .path("/x", method: "GET"))
    #expect(try bench.contents() == ["a": ["1"], "b": ["2"]])
    let one = try bench.load([#"{"b": [{"id": 3}]}"#], route: .path("/x", method: "GET"))
    #expect(one.failure == nil, "one of several places is enough")
    let named = try bench.load([#"{"b": [{"id": 4}]}"#], route: .endpoint("a"))
    #expect(named.failure != nil, "a named endpoint has its own places only")
  }

  @Test func `what makes a body NDJSON is its name or the endpoint's format`() throws {
    let lines = "{\"items\": {\"id\": 1}}\n{\"items\": {\"id\": 2}}\n"
    #expect(try Bench.items().load([lines], ending: "NDJSON").counts == ["Item: 2 = 2 inserted"])
    #expect(try Bench.items().load([lines], ending: "jsonl").counts == ["Item: 2 = 2 inserted"])
    #expect(try Bench.items().load([lines], ending: "json").failure != nil)
    let bench = try Bench(
      records: "Item: {key: id, fields: [id]}",
      endpoints: "e: {path: /e, format: ndjson, fetch: false, records: {items: Item}}")
    #expect(try bench.load([lines], ending: "log").counts == ["Item: 2 = 2 inserted"])
  }

  @Test func `trailing commas and comments are read when the mapping is lenient`() throws {
    let body = "{\"items\": [{\"id\": 1,},], /* c */ }"
    #expect(try Bench.items().load(body).failure != nil)
    let bench = try Bench(
      records: "Item: {key: id, fields: [id]}",
      endpoints: "e: {path: /e, lenient: true, fetch: false, records: {items: Item}}")
    #expect(try bench.load(body).counts == ["Item: 1 = 1 inserted"])
  }
}
