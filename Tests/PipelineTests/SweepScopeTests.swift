import Fetch
import Pipeline
import Testing
import Values

/// Scopes: which walks are one, and what one has seen that another has not.
struct SweepScopeTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test"}
    variables: {kind: cat, unused: x}
    records: {Pet: {table: pets, key: id, fields: [id], sweep: true}}
    endpoints:
      pets:
        path: ["/owners/:owner/pets", "/v2/owners/:owner/pets", "/files/*"]
        fetch: false
        records: {pets: Pet}
      kinds: {path: "/${kind}/list", params: {k: "${kind}", fixed: 1, at: "${now}"}, records: {pets: Pet}}
      plain: {path: /plain, params: {token: "${secret.TOKEN}"}, records: {pets: Pet}}
    """

  private func scopes(_ bench: Bench) throws -> [String] { try bench.rows("SELECT name FROM _ingest_scopes") }

  @Test(arguments: [
    ("/owners/ada/pets", #"{"endpoint":"pets","path":{"owner":"ada"}}"#),
    ("/v2/owners/a%2Fb/pets/", #"{"endpoint":"pets","path":{"owner":"a/b"}}"#),
    (
      "/owners/ada/pets?b=2&a=1&b=1",
      #"{"endpoint":"pets","path":{"owner":"ada"},"query":[["a","1"],["b","1"],["b","2"]]}"#
    ),
    (
      "/owners/ada/pets?b=1&b=2&a=1#x",
      #"{"endpoint":"pets","path":{"owner":"ada"},"query":[["a","1"],["b","1"],["b","2"]]}"#
    ),
    ("/files/a/b%20c", #"{"endpoint":"pets","path":{"*":"a/b%20c"}}"#),
    ("/cat/list", #"{"endpoint":"kinds","variables":{"kind":"cat"}}"#),
    ("/plain", #"{"endpoint":"plain"}"#),
    // Credentials and secrets are no part of it.
    ("/plain?token=other", #"{"endpoint":"plain"}"#),
    ("/plain?page=hidden", #"{"endpoint":"plain","query":[["page","***"]]}"#),
  ])
  func `of a path, the scope is the endpoint, its path parameters and its query`(_ path: String, _ scope: String) throws
  {
    let bench = try Bench(Self.mapping, secrets: ["TOKEN": "hidden"])
    try bench.load([#"{"pets": [{"id": 1}]}"#], route: .path(path, method: "GET"))
    #expect(try scopes(bench) == [scope])
  }

  @Test func `of a run it has the variables that the request uses; of an endpoint's name, that alone`() throws {
    let bench = try Bench(Self.mapping, secrets: ["TOKEN": "hidden"])
    let body = #"{"pets": [{"id": 1}]}"#
    try bench.run(Script(bodies: [body, body]))
    try bench.load([body], route: .endpoint("plain"))
    try bench.load([body], route: .path("/plain", method: "GET"))
    try bench.load([body], route: .endpoint("kinds"))
    #expect(
      try scopes(bench) == [
        #"{"endpoint":"kinds","variables":{"kind":"cat"}}"#, #"{"endpoint":"plain"}"#, #"{"endpoint":"kinds"}"#,
      ])
  }

  @Test(arguments: [
    // Each step: the scope, what comes, whether it is complete; then the rows that are left.
    ("a 1 2, b 3, a 1", "1 3"), ("a 1 2, b 2, a 1", "1 2"), ("a 1 2, b 2, a 1, b ", "1"),
    // What a part has brought belongs to its scope, and is protected.
    ("a 1, b~ 2, a 1, b 1", "1"), ("a 1 2, b 3, b~ 2, a 1", "1 2 3"), ("a 1 2, b 2, b 3, a 1", "1 3"),
    // Another scope's failed walk protects too.
    ("a 1 2, b 3, b! 2, a 1", "1 2 3"),
    // A row that stays for another scope's sake stays in its own: it goes when nothing keeps it.
    ("a 1 2, b 2, a 1, b 3, a 1", "1 3"), ("a 1 2, b 2, a 1, b 3, b 3", "1 3"),
    // A row that two scopes had, and that one has brought anew.
    ("a 1 2, b 2, a 1, b , a 1 2, b , a 1", "1"),
  ])
  func `what another scope has seen stays`(_ steps: String, _ left: String) throws {
    let bench = try Bench(Self.mapping, secrets: ["TOKEN": "hidden"])
    for step in steps.split(separator: ",").map({ $0.drop { $0 == " " } }) {
      let words = step.split(separator: " ")
      let rows = words.dropFirst().map { #"{"id": \#($0)}"# }.joined(separator: ", ")
      let name = words[0]
      try bench.load(
        [#"{"pets": [\#(rows)]}"#] + (name.hasSuffix("!") ? ["{"] : []),
        route: .path("/owners/\(name.prefix(1))/pets", method: "GET"), isPartial: name.hasSuffix("~"))
    }
    #expect(try bench.rows("SELECT id FROM pets ORDER BY id").joined(separator: " ") == left)
    #expect(try bench.faults().isEmpty)
  }

  @Test(arguments: [
    (#"{path: "/owners/:owner/pets", fetch: false, records: {pets: Pet}}"#, "1 2"),
    (#"{path: "/people/:person/pets", fetch: false, records: {pets: Pet}}"#, "1"),
    (#"{path: "/owners/:owner/:house/pets", fetch: false, records: {pets: Pet}}"#, "1 2"),
    ("", "1"),
  ])
  func `a scope that the mapping no longer has protects nothing`(_ endpoint: String, _ left: String) throws {
    func mapping(_ pets: String) -> String {
      """
      ingest: 1
      source: {name: demo}
      records: {Pet: {table: pets, key: id, fields: [id], sweep: true}}
      endpoints:
        all: {path: /all, fetch: false, records: {pets: Pet}}
      """ + (pets.isEmpty ? "" : "\n  pets: \(pets)\n")
    }
    let bench = try Bench(mapping(#"{path: "/owners/:owner/pets", fetch: false, records: {pets: Pet}}"#))
    try bench.load([#"{"pets": [{"id": 2}]}"#], route: .path("/owners/ada/pets", method: "GET"))
    try bench.load([#"{"pets": [{"id": 1}, {"id": 2}]}"#], route: .endpoint("all"))
    let later = try Bench(mapping(endpoint), on: bench)
    try later.load([#"{"pets": [{"id": 1}]}"#], route: .endpoint("all"))
    #expect(try later.rows("SELECT id FROM pets ORDER BY id").joined(separator: " ") == left)
  }

  private static let pages = """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 1}}
    records: {Pet: {table: pets, key: id, fields: [id], sweep: true}}
    endpoints:
      pets:
        path: /pets
        records: {pets: Pet}
        paginate: {by: page, param: page, start: 1, max_pages: 3}
        errors: [{status: 404, action: stop}, {status: 409, action: ignore}]
    """

  @Test(
    arguments: [
      // To its stop rule: an empty page, or an answer that says so.
      ([.ok(#"{"pets": [{"id": 1}]}"#), .ok(#"{"pets": []}"#)], "1"),
      ([.ok(#"{"pets": [{"id": 1}]}"#), .status(404)], "1"),
      ([.ok(#"{"pets": [{"id": 1}]}"#), .ok(#"{"pets": [{"id": 4}]}"#), .ok(#"{"pets": []}"#)], "1 4"),
      // Partial: max_pages, and an answer that is ignored.
      ([.ok(#"{"pets": [{"id": 1}]}"#), .ok(#"{"pets": [{"id": 2}]}"#), .ok(#"{"pets": [{"id": 4}]}"#)], "1 2 3 4"),
      ([.ok(#"{"pets": [{"id": 1}]}"#), .status(409)], "1 2 3"),
      // Failed: an error, a broken body, and the same page twice.
      ([.ok(#"{"pets": [{"id": 1}]}"#), .status(500)], "1 2 3"), ([.ok(#"{"pets": [{"id": 1}]}"#), .ok("{")], "1 2 3"),
      ([.ok(#"{"pets": [{"id": 1}]}"#), .ok(#"{"pets": [{"id": 1}]}"#)], "1 2 3"),
      // No body, or none with the place.
      ([.status(204)], "1 2 3"), ([.ok("")], "1 2 3"), ([.ok("{}")], "1 2 3"),
      ([.ok(#"{"pets": [{"id": 1}]}"#), .ok("[]")], "1 2 3"),
    ] as [([Script.Answer], String)])
  func `a run sweeps when its stop rule was met without an error`(_ answers: [Script.Answer], _ left: String) throws {
    let bench = try Bench(Self.pages)
    try bench.load(#"{"pets": [{"id": 1}, {"id": 2}, {"id": 3}]}"#)
    try bench.run(Script(answers))
    #expect(try bench.rows("SELECT id FROM pets ORDER BY id").joined(separator: " ") == left)
  }
}
