import Fetch
import Pipeline
import Testing

/// What counts as a page's records where its bodies hold several lists.
struct PageCountTests {
  private func bench(_ paginate: String, records: String = "{data: Item, included: Item}", more: String = "") throws
    -> Bench
  {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
      endpoints: {items: {path: /items, records: \(records), paginate: {\(paginate)}}\(more)}
      """)
  }

  private static func page(_ data: [Int], _ included: [Int], _ more: String = "") -> Script.Answer {
    func list(_ ids: [Int]) -> String { "[\(ids.map { "{\"id\": \($0)}" }.joined(separator: ", "))]" }
    return .ok("{\"data\": \(list(data)), \"included\": \(list(included))\(more.isEmpty ? "" : ", ")\(more)}")
  }

  @Test func `totals, sizes and offsets count the endpoint's first place`() throws {
    let total = Script([
      Self.page([1, 2], [11, 12, 13], #""n": 3"#), Self.page([3], [14, 15], #""n": 3"#), Self.page([], []),
    ])
    let bench = try bench("by: offset, param: o, total: n")
    #expect(try bench.run(total).failure == nil)
    #expect(total.lines == ["GET /items?o=0", "GET /items?o=2"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["8"])

    let short = Script([Self.page([1, 2], []), Self.page([3], [11, 12]), Self.page([4, 5], [])])
    #expect(try self.bench("by: page, param: p, start: 1, size: 2, stop_when: short").run(short).failure == nil)
    #expect(short.requests.count == 2)

    let missing = Script([Self.page([1, 2], [11, 12], #""n": 4"#), Self.page([], [], #""n": 4"#), Self.page([], [])])
    let failure = try self.bench("by: page, param: p, start: 1, total: n").run(missing).failure
    #expect(
      failure?.message.hasPrefix("endpoint 'items': GET https://api.example.test/items?") == true
        && failure?.message.contains(": the API declares 4 records, 2 came; ") == true)
  }

  @Test func `a page is empty when none of the places has a record`() throws {
    let script = Script([Self.page([1], []), Self.page([], [2]), Self.page([], []), Self.page([9], [])])
    let bench = try bench("by: page, param: p, start: 1")
    #expect(try bench.run(script).failure == nil)
    #expect(script.requests.count == 3)
    #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ["1", "2"])
  }

  @Test func `places of other endpoints do not count`() throws {
    for other in ["a", "z"] {
      let bench = try bench(
        "by: page, param: p, start: 1, total: n", records: "{data: Item}",
        more: ", \(other): {path: /items, records: {included: Item}, fetch: false}")
      let script = Script([
        Self.page([1], [11, 12, 13], #""n": 2"#), Self.page([2], [14, 15], #""n": 2"#), Self.page([], []),
      ])
      #expect(try bench.run(script).failure == nil)
      #expect(script.requests.count == 2)
      #expect(try bench.rows("SELECT count(*) FROM items") == ["7"])
    }
  }

  @Test func `lines are counted too`() throws {
    let bench = try bench("by: offset, param: o", records: "{data: Item}")
    let type = [HTTPHeader("Content-Type", "application/x-ndjson")]
    let script = Script([
      .status(200, "{\"data\": [{\"id\": 1}, {\"id\": 2}]}\n{\"data\": {\"id\": 3}}\n", headers: type),
      .status(200, "{\"data\": null}\n", headers: type),
    ])
    #expect(try bench.run(script).failure == nil)
    #expect(script.lines == ["GET /items?o=0", "GET /items?o=3"])
  }
}
