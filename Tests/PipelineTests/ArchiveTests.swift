import Fetch
import Pipeline
import Testing

/// What `archive: true` keeps.
struct ArchiveTests {
  private func bench(
    _ endpoint: String = "archive: true", store: String = "{}", source: String = "", secrets: [String: String] = [:],
    variables: String = "{}"
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test/v1/", \(source)}
      store: \(store)
      variables: \(variables)
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: "/items", records: {items: Item}, \(endpoint)}}
      """, secrets: secrets)
  }

  private static let paging = "archive: true, paginate: {by: page, param: page, start: 1}"
  private let columns = "run_id, source, endpoint, method, url, path, file, status"

  @Test func `each answer is kept with what was asked, in order`() throws {
    let bench = try bench(Self.paging)
    let run = try bench.run(Script(bodies: [#"{"items": [{"id": 1}]}"#, #"{"items": []}"#]))
    #expect(run.failure == nil)
    #expect(
      try bench.rows("SELECT \(columns) FROM _ingest_responses ORDER BY response_id") == [
        "1|demo|items|GET|https://api.example.test/v1/items?page=1|/items|null|200",
        "1|demo|items|GET|https://api.example.test/v1/items?page=2|/items|null|200",
      ])
    #expect(
      try bench.rows("SELECT headers, variables, charset, scope FROM _ingest_responses LIMIT 1") == [
        #"[["content-type","application/json"]]|[]|null|null"#
      ])
    #expect(
      try bench.rows("SELECT size, packed_size = length(body), fetched_at GLOB '20??-*T*Z' FROM _ingest_responses") == [
        "22|1|1", "13|1|1",
      ])
  }

  @Test(arguments: [
    ("", "{archive: true}", 1), ("archive: false", "{archive: true}", 0), ("archive: true", "{archive: false}", 1),
    ("", "{}", 0),
  ])
  func `an endpoint says for itself what the store says for all`(_ endpoint: String, _ store: String, _ count: Int)
    throws
  {
    let bench = try bench(endpoint, store: store)
    _ = try bench.run(Script(bodies: [#"{"items": [{"id": 1}]}"#]))
    #expect(try bench.rows("SELECT count(*) FROM _ingest_responses") == ["\(count)"])
  }

  @Test func `what is not taken is not kept`() throws {
    let bench = try bench("archive: true, errors: [{status: 404, action: ignore}]")
    for answers: [Script.Answer] in [[.ok(#"{"other": 5}"#)], [.ok("{")], [.status(404)], [.status(400, "{}")]] {
      _ = try bench.run(Script(answers))
    }
    #expect(try bench.rows("SELECT count(*) FROM _ingest_responses") == ["0"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `an answer without a body is kept too`() throws {
    let bench = try bench()
    _ = try bench.run(Script([.status(204)]))
    #expect(try bench.rows("SELECT status, size FROM _ingest_responses") == ["204|0"])
  }

  @Test func `bodies that are handed in are kept with their names`() throws {
    let bench = try bench()
    try bench.load([#"{"items": [{"id": 1}]}"#, #"{"items": [{"id": 2}]}"#])
    try bench.load(
      ["{\"items\": [{\"id\": 3}]}\n{\"items\": []}\n"], ending: "ndjson", route: .path("/items?q=1", method: "GET"))
    #expect(
      try bench.rows("SELECT \(columns) FROM _ingest_responses ORDER BY response_id") == [
        "1|demo|items|null|null|null|body-0.json|200", "1|demo|items|null|null|null|body-1.json|200",
        "2|demo|items|GET|/items?q=1|/items?q=1|body-0.ndjson|200",
      ])
  }

  @Test func `no credential is kept`() throws {
    let secret = "plum/7f3k+quince"
    let bench = try bench(
      "archive: true, params: {mine: \"${secret.KEY}\", page: \"1\"}",
      source: "auth: {bearer: {token: '${secret.KEY}'}}",
      secrets: ["KEY": secret], variables: "{note: \"a plum%2F7f3k%2Bquince\"}")
    let echo = #"{"items": [{"id": 1, "v": "plum%2F7f3k%2Bquince", "w": "cGx1bS83ZjNrK3F1aW5jZQ"}]}"#
    _ = try bench.run(
      Script([
        .status(
          200, echo,
          headers: [
            HTTPHeader("Set-Cookie", "session=oak"), HTTPHeader("X-Echo", secret), HTTPHeader("X-Ok", "yes"),
            HTTPHeader("x-\(secret)", "named"),
          ])
      ]))
    #expect(
      try bench.rows("SELECT url, headers, variables FROM _ingest_responses") == [
        "https://api.example.test/v1/items?mine=***&page=1|"
          + #"[["x-echo","***"],["x-ok","yes"],["x-***","named"],["content-type","application/json"]]|[["note","text","a ***"]]"#
      ])
    // No replay takes the mark for a value, until somebody says that it is one.
    let reader = try Bench(
      """
      ingest: 1
      source: {name: demo}
      records: {Echo: {table: echoes, key: id, fields: [id, v, w]}}
      endpoints: {items: {path: "/items", records: {items: Echo}, fetch: false}}
      """, on: bench)
    #expect(try reader.replay().failure == nil)
    #expect(try reader.rows("SELECT id, v, w FROM echoes").isEmpty)
    #expect(try reader.rows("SELECT redacted FROM _ingest_rejects WHERE reason LIKE '%replaced%'") == ["1"])
    #expect(try reader.rows("SELECT redacted FROM _ingest_responses") == ["1"])
    try reader.change("UPDATE _ingest_responses SET redacted = 0")
    #expect(try reader.replay().failure == nil)
    #expect(try reader.rows("SELECT id, v, w FROM echoes") == ["1|***|***"])
  }
}
