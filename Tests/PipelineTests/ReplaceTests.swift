import Pipeline
import Testing

/// `write: replace`: the rows of a scope become exactly the walk's, or stay as they were.
struct ReplaceTests {
  private static func keyed() throws -> Bench {
    try Bench(
      records:
        "Item: {table: items, key: id, write: replace, fields: {id: {type: integer}, n: {type: integer}, d: {default: x}}, "
        + "relationships: {tags: [{fields: {tag: .}}], owner: Person}}, Person: {table: people, key: id, fields: [id]}, "
        + "Note: {table: notes, key: id, fields: [id]}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item, notes: Note}}")
  }

  @Test func `missing members are null or default, relationships are emptied, equal rows are unchanged`() throws {
    let bench = try Self.keyed()
    try bench.load(
      #"{"items": [{"id": 1, "n": 1, "d": "y", "tags": ["a"], "owner": {"id": 5}}, {"id": 2, "n": 2}, {"id": 3}]}"#)
    let run = try bench.load(#"{"items": [{"id": 1}, {"id": 2, "n": 2}, {"id": 4}]}"#)
    #expect(run.counts == ["Item: 3 = 1 inserted + 1 updated + 1 unchanged"])
    #expect(run.messages.map(\.text) == ["Item: 1 row was swept"])
    #expect(
      try bench.contents() == [
        "items": ["1|null|x|null", "2|2|x|null", "4|null|x|null"], "item_tags": [], "people": ["5"], "notes": [],
      ])
  }

  @Test(arguments: [
    (["{"], 200), ([#"{"other": []}"#], 200), ([#"{"items": []}"#], 500),
  ])
  func `when a later body fails, nothing of the walk takes effect, of any record`(_ last: [String], _ status: Int)
    throws
  {
    let bench = try Self.keyed()
    try bench.load(#"{"items": [{"id": 1}], "notes": [{"id": 1}]}"#)
    let before = try bench.contents()
    let run = try bench.load(
      [#"{"items": [{"id": 2, "owner": {"id": 5}}, {"id": 1, "n": "x"}], "notes": [{"id": 2}]}"#] + last, status: status
    )
    #expect(run.failure != nil)
    #expect(run.counts.isEmpty)
    #expect(try bench.contents() == before)
    #expect(try bench.rows("SELECT count(*) FROM _ingest_counts WHERE run_id = 2") == ["0"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_rejects") == ["0"])
    #expect(try bench.rows("SELECT run_id, status FROM _ingest_runs") == ["1|done", "2|failed"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["1"])
    // And nothing was seen: the next walk sweeps as if the failed one had not been.
    try bench.load(#"{"items": [], "notes": []}"#)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
  }

  @Test(arguments: [
    (#"{"items": [{"id": 3}]}"#, true, "--partial", "1 2 3"),
    (#"{"items": null, "notes": []}"#, false, "is null", "1 2"),
    (#"{"items": [{"id": 3}, null]}"#, false, "an element", "1 2 3"),
    (#"{"items": [{"id": 3}, {"id": "x"}]}"#, false, "rejected", "1 2 3"),
    (#"{"notes": []}"#, false, "is not there", "1 2"),
  ])
  func `a walk that may not remove writes what it brings, removes nothing, and warns`(
    _ body: String, _ isPartial: Bool, _ reason: String, _ left: String
  ) throws {
    let bench = try Self.keyed()
    try bench.load(#"{"items": [{"id": 1}, {"id": 2}]}"#)
    let run = try bench.load([body], isPartial: isPartial)
    #expect(run.failure == nil)
    #expect(run.warnings.contains { $0.hasPrefix("Item: nothing was replaced away: ") && $0.contains(reason) })
    #expect(try bench.rows("SELECT id FROM items ORDER BY id").joined(separator: " ") == left)
    try bench.load(#"{"items": [{"id": 2}]}"#)
    #expect(try bench.rows("SELECT id FROM items") == ["2"])
  }

  @Test func `more than max_delete is refused, and nothing takes effect`() throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, write: replace, fields: [id, n]}",
      endpoints: "items: {path: /items, fetch: false, records: {'.': Item}}")
    func items(_ range: Range<Int>, _ n: Int) -> String {
      "[\(range.map { #"{"id": \#($0), "n": \#(n)}"# }.joined(separator: ", "))]"
    }
    try bench.load(items(0..<20, 1))
    let run = try bench.load(items(0..<9, 2))
    #expect(run.failure?.message.contains("replacing 'Item' would delete 11 of the scope's 20 rows") == true)
    #expect(run.counts.isEmpty)
    #expect(try bench.rows("SELECT count(*), max(n) FROM items") == ["20|1"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["1"])
    #expect(try bench.load(items(0..<10, 2)).failure == nil)
    #expect(try bench.rows("SELECT count(*), max(n) FROM items") == ["10|2"])
  }

  // MARK: without a key

  private static func keyless() throws -> Bench {
    try Bench(
      records: "Item: {table: items, write: replace, track: true, fields: {v: , r: {type: real}}}, "
        + "Note: {table: notes, key: id, fields: [id]}",
      endpoints: "items: {path: '/items', fetch: false, records: {items: Item, notes: Note}}, "
        + "shop: {path: '/shops/:shop', fetch: false, records: {items: Item}}")
  }

  private let endpoint = Loader.Route.endpoint("items")

  @Test func `equal rows are paired in document order and keep their number`() throws {
    let bench = try Self.keyless()
    try bench.load([#"{"items": [{"v": "x"}, {"v": "y"}, {"v": "x"}, {"v": 1, "r": 2}]}"#], route: endpoint)
    let run = try bench.load(
      [#"{"items": [{"v": "x"}, {"v": 1, "r": 2.0}]}"#, #"{"items": [{"v": "1", "r": 2}, {"v": "x"}, {"v": "x"}]}"#],
      route: endpoint)
    #expect(run.counts == ["Item: 5 = 2 inserted + 3 unchanged"])
    #expect(run.messages.map(\.text) == ["Item: 1 row was swept"])
    #expect(
      try bench.rows("SELECT _id, v, typeof(v), r, _run_id FROM items ORDER BY _id") == [
        "1|x|text|null|1", "3|x|text|null|1", "4|1|integer|2.0|1", "5|1|text|2.0|2", "6|x|text|null|2",
      ])
    let again = try bench.load(
      [#"{"items": [{"v": "x"}, {"v": "x"}, {"v": "x"}, {"v": 1, "r": 2}, {"v": "1", "r": 2}]}"#], route: endpoint)
    #expect(again.counts == ["Item: 5 = 5 unchanged"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `each scope has its own rows`() throws {
    let bench = try Self.keyless()
    for shop in ["a", "b", "a"] {
      try bench.load(
        [#"{"items": [{"v": "same"}, {"v": "\#(shop)"}]}"#], route: .path("/shops/\(shop)", method: "GET"))
    }
    #expect(try bench.rows("SELECT _id, v FROM items") == ["1|same", "2|a", "3|same", "4|b"])
    try bench.load([#"{"items": []}"#], route: .path("/shops/a", method: "GET"))
    #expect(try bench.rows("SELECT _id, v FROM items") == ["3|same", "4|b"])
  }

  @Test(arguments: [
    (#"{"items": [{"v": "z"}], "notes": [{"id": 1}]}"#, true, 0), (#"{"items": null, "notes": [{"id": 1}]}"#, false, 0),
    (#"{"items": [{"v": "z"}, null], "notes": []}"#, false, 0),
    (#"{"items": [{"v": "z"}], "notes": [{"id": null}, {"id": 2}]}"#, false, 1),
  ])
  func `when nothing may be removed, nothing takes effect, and the run warns`(
    _ body: String, _ isPartial: Bool, _ rejected: Int
  ) throws {
    let bench = try Self.keyless()
    try bench.load([#"{"items": [{"v": "x"}]}"#], route: endpoint)
    let before = try bench.contents()
    let run = try bench.load([body], route: endpoint, isPartial: isPartial)
    #expect(run.failure == nil)
    #expect(run.warnings.last?.hasPrefix("nothing of the walk takes effect") == true)
    #expect(run.summary.received == rejected)
    #expect(run.summary.rejected == rejected)
    #expect(try bench.contents() == before)
    try bench.load([#"{"items": [{"v": "z"}]}"#], route: endpoint)
    #expect(try bench.rows("SELECT v FROM items") == ["z"])
  }

  @Test func `a rejected record is no reason to keep the others`() throws {
    let bench = try Self.keyless()
    try bench.load([#"{"items": [{"v": "x"}]}"#], route: endpoint)
    let run = try bench.load([#"{"items": [{"v": "z"}, {"r": "many"}]}"#], route: endpoint)
    #expect(run.counts == ["Item: 2 = 1 inserted + 1 rejected"])
    #expect(try bench.rows("SELECT v FROM items") == ["z"])
  }

  // MARK: pages

  @Test(
    arguments: [
      ([.ok(#"{"pets": [{"id": 2}]}"#), .ok(#"{"pets": [{"id": 3}]}"#), .ok(#"{"pets": []}"#)], "2 3", 0),
      ([.ok(#"{"pets": [{"id": 2}]}"#), .status(500)], "1 2", 1),
      ([.status(503), .ok(#"{"pets": [{"id": 3}]}"#), .status(503), .ok("{")], "1 2", 3),
      ([.status(503), .ok(#"{"pets": [{"id": 3}]}"#), .status(503), .ok(#"{"pets": []}"#)], "3", 2),
    ] as [([Script.Answer], String, Int)])
  func `pages replace together, and answers that failed are kept in any case`(
    _ answers: [Script.Answer], _ left: String, _ errors: Int
  ) throws {
    let bench = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test", retry: {attempts: 2}}
      records: {Pet: {table: pets, key: id, fields: [id], write: replace}}
      endpoints:
        pets:
          path: /pets
          records: {pets: Pet}
          paginate: {by: page, param: page, start: 1}
          errors: [{status: 500, action: fail}]
      """)
    try bench.load(#"{"pets": [{"id": 1}, {"id": 2}]}"#)
    try bench.run(Script(answers))
    #expect(try bench.rows("SELECT id FROM pets ORDER BY id").joined(separator: " ") == left)
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["\(errors)"])
  }
}
