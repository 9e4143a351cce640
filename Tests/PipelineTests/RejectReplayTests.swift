import Fetch
import Pipeline
import Testing
import Values

/// Rejected records, mapped again.
struct RejectReplayTests {
  private func bench(
    _ records: String, at places: String = "items: Item", endpoint: String = "path: /items, fetch: false",
    on other: Bench? = nil
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      variables: {owner: a%20b, q: 5}
      records: {\(records)}
      endpoints: {items: {\(endpoint), records: {\(places)}}}
      """, on: other)
  }

  private static let strict = "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}}"
  private static let wide = "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: text}}}"

  private func rejects(_ bench: Bench) throws -> [String] {
    try bench.rows("SELECT run_id, record, pointer, field FROM _ingest_rejects ORDER BY rowid")
  }

  @Test func `what can be mapped now leaves the rejects, the rest stays`() throws {
    let first = try bench(Self.strict)
    try first.load(#"{"items": [{"id": 1, "n": 1}, {"id": 2, "n": "x"}, {"n": 3}, {"id": 4, "n": [4]}]}"#)
    #expect(try rejects(first) == ["1|Item|/items/1|n", "1|Item|/items/2|id", "1|Item|/items/3|n"])
    let wider = try bench(Self.wide, on: first)
    let run = try wider.replay(rejects: true)
    #expect(run.failure == nil && run.counts == ["Item: 3 = 1 inserted + 2 rejected"], "\(run)")
    #expect(try wider.rows("SELECT id, n FROM items ORDER BY id") == ["1|1", "2|x"])
    #expect(try rejects(wider) == ["1|Item|/items/2|id", "1|Item|/items/3|n"])
    #expect(run.summary.preview.map(\.pointer) == ["/items/2", "/items/3"])
    #expect(try wider.rows("SELECT command, status FROM _ingest_runs WHERE run_id = 2") == ["replay|rejects"])
    #expect(
      try wider.rows("SELECT record, received, inserted, rejected FROM _ingest_counts WHERE run_id = 2") == [
        "Item|3|1|2"
      ])
    #expect(try wider.replay(rejects: true).counts == ["Item: 2 = 2 rejected"])
    #expect(try wider.faults().isEmpty)
  }

  @Test func `values around a record are those that were kept with it`() throws {
    let fields =
      "id: {type: integer}, n: {type: %}, k: $key, i: $index, total: $root.meta.total, none: $root.no, "
      + "page: $parent.page, owner: $route.owner, q: $query.q, url: $request.url, h: $response.headers.x-part, "
      + "v: $var.q, at: $fetched_at"
    func records(_ type: String) -> String {
      "Item: {table: items, key: id, where: {$root.meta.ok: true}, fields: {\(fields.replacing("%", with: type))}, "
        + "relationships: {tags: [{fields: {tag: ., total: $root.meta.total, up: $parent.id, page: $parent.$parent.page, more: $parent.$parent.more}}]}}"
    }
    let endpoint = "path: '/o/:owner/items', params: {q: '${q}'}"
    let first = try bench(records("integer"), at: "'a.*': Item", endpoint: endpoint)
    let body = #"{"page": 3, "a": {"x": {"id": 1, "n": "t", "tags": ["u"]}}, "meta": {"total": 1.50, "ok": true}}"#
    let answer = Script.Answer.status(200, body, headers: [HTTPHeader("X-Part", "p")])
    #expect(try first.run(Script([answer])).summary.rejected == 1)
    let url = "https://api.example.test/o/a%2520b/items?q=5"
    // A child that reads beyond the record cannot be mapped without its body.
    let lacking = try bench(records("text"), at: "'a.*': Item", endpoint: endpoint, on: first)
    let run = try lacking.replay(rejects: true)
    #expect(run.counts == ["Item: 1 = 1 rejected"])
    #expect(run.summary.preview[0].reason == "its mapping reads '$parent.$parent.more', which was not kept with it")
    let plain = try bench(
      records("text").replacing(", more: $parent.$parent.more", with: ""), at: "'a.*': Item",
      endpoint: endpoint, on: first)
    #expect(try plain.replay(rejects: true).counts == ["Item: 1 = 1 inserted", "Item.tags: 1 = 1 inserted"])
    let columns = "id, n, k, i, total, none, page, owner, q, url, h, v, at GLOB '20*Z'"
    let rows = try plain.rows("SELECT \(columns) FROM items")
    #expect(rows == ["1|t|x|0|1.5|null|3|a%20b|5|\(url)|p|5|1"])
    #expect(try plain.rows("SELECT tag, total, up, page FROM item_tags") == ["u|1.5|1|3"])
  }

  @Test func `what is filtered, skipped or deleted now has been mapped`() throws {
    let first = try bench(Self.strict)
    try first.load(#"{"items": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 3, "n": "c"}]}"#)
    try first.change("INSERT INTO items VALUES (2, 0)")
    let second = try bench(
      "Item: {table: items, key: id, where: {n: {not: a}}, delete_when: {n: b}, fields: {id: {type: integer}, n: {type: text}}}",
      on: first)
    let run = try second.replay(rejects: true)
    #expect(run.counts == ["Item: 3 = 1 inserted + 1 deleted + 1 filtered"])
    #expect(try rejects(second) == [])
    #expect(try second.rows("SELECT id FROM items") == ["3"])
  }

  @Test func `a nested record stays, since its parent is not kept with it`() throws {
    let nested = "Item: {table: items, key: id, fields: {id: {type: integer}}, relationships: {subs: [Sub]}}, "
    let first = try bench(nested + "Sub: {key: id, fields: {id: {type: integer}, n: {type: integer}}}")
    try first.load(#"{"items": [{"id": 1, "subs": [{"id": 7, "n": "x"}]}]}"#)
    #expect(try rejects(first) == ["1|Sub|/items/0/subs/0|n"])
    let second = try bench(nested + "Sub: {key: id, fields: {id: {type: integer}, n: {type: text}}}", on: first)
    let run = try second.replay(rejects: true)
    #expect(run.counts == ["Sub: 1 = 1 rejected"] && run.summary.preview[0].reason.contains("nested in another record"))
    #expect(try rejects(second) == ["1|Sub|/items/0/subs/0|n"])
    #expect(try second.rows("SELECT * FROM sub") == [])
  }

  @Test func `what is nested in a record and cannot be mapped is rejected anew`() throws {
    let first = try bench(
      "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}, relationships: {subs: [Sub]}}, "
        + "Sub: {key: id, fields: {id: {type: integer}}}")
    try first.load(#"{"items": [{"id": 1, "n": "x", "subs": [{"id": 7}, {"id": "y"}]}]}"#)
    let second = try bench(
      "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: text}}, relationships: {subs: [Sub]}}, "
        + "Sub: {key: id, fields: {id: {type: integer}}}", on: first)
    let run = try second.replay(rejects: true)
    #expect(run.counts == ["Item: 1 = 1 inserted", "Sub: 2 = 1 inserted + 1 rejected"])
    #expect(try rejects(second) == ["2|Sub|/items/0/subs/1|id"])
  }

  @Test func `a mapping without the endpoint, the place or the record keeps them`() throws {
    let first = try bench(Self.strict)
    try first.load(#"{"items": [{"id": 1, "n": "a"}]}"#)
    let moved = try bench(Self.wide, at: "others: Item", on: first)
    let run = try moved.replay(rejects: true)
    #expect(run.counts == ["Item: 1 = 1 rejected"], "\(run)")
    let renamed = try bench(
      "Thing: {table: things, key: id, fields: {id: {type: integer}, n: {type: text}}}", at: "items: Thing", on: first)
    let other = try renamed.replay(rejects: true)
    #expect(
      other.counts == [] && other.warnings == ["1 rejected record stays, of records that this mapping does not have"])
    #expect(try rejects(renamed).count == 1)
  }

  @Test func `a choice is made again`() throws {
    func records(_ cases: String) -> String {
      "Any: {switch: [\(cases)]}, Item: {table: items, key: id, fields: {id: {type: integer}, q: $query.q}}"
    }
    let first = try bench(records("{when: {t: a}, record: Item}"), at: "items: Any")
    try first.load(
      [#"{"items": [{"id": 1, "t": "b"}, {"id": 2, "t": "c"}]}"#], route: .path("/items?q=7", method: "GET"))
    #expect(try first.rows("SELECT context FROM _ingest_rejects") == [#"{"$query.q":"7"}"#, #"{"$query.q":"7"}"#])
    let second = try bench(records("{when: {t: [a, b]}, record: Item}"), at: "items: Any", on: first)
    let run = try second.replay(rejects: true)
    #expect(run.counts == ["Any: 1 = 1 rejected", "Item: 1 = 1 inserted"])
    #expect(try second.rows("SELECT id, q FROM items") == ["1|7"])
  }

  @Test func `a unique index that still refuses a record keeps it`() throws {
    let records =
      "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer, index: unique}}, "
      + "relationships: {tags: [{fields: {tag: .}}]}}"
    let bench = try bench(records)
    try bench.load(#"{"items": [{"id": 1, "n": 1}, {"id": 2, "n": 1, "tags": ["a"]}]}"#)
    #expect(try bench.replay(rejects: true).counts == ["Item: 1 = 1 rejected"])
    #expect(try rejects(bench) == ["1|Item|/items/1|n"])
    try bench.change("DELETE FROM items")
    #expect(try bench.replay(rejects: true).counts == ["Item: 1 = 1 inserted", "Item.tags: 1 = 1 inserted"])
    #expect(try rejects(bench) == [] && bench.faults() == [])
  }

  @Test(arguments: ["sweep: true", "write: replace"])
  func `what a later walk has not seen does not come`(_ rule: String) throws {
    func records(_ type: String) -> String {
      "Item: {table: items, key: id, \(rule), fields: {id: {type: integer}, n: {type: \(type)}}}"
    }
    let first = try bench(records("integer"))
    try first.load(#"{"items": [{"id": 1, "n": 1}, {"id": 2, "n": "x"}]}"#)
    try first.load(#"{"items": [{"id": 1, "n": 1}]}"#)
    try first.load(#"{"items": [{"id": 1, "n": 1}, {"id": 3, "n": "y"}]}"#)
    let second = try bench(records("text"), on: first)
    let run = try second.replay(rejects: true)
    #expect(run.counts == ["Item: 2 = 1 inserted + 1 rejected"], "\(run)")
    #expect(run.summary.preview[0].reason.contains("it may be gone"))
    #expect(try second.rows("SELECT id, n FROM items ORDER BY id") == ["1|1", "3|y"])
    // The row counts as the scope's: a walk that does not see it takes it away.
    try second.load(#"{"items": [{"id": 1, "n": 1}]}"#)
    #expect(try second.rows("SELECT id FROM items") == ["1"])
  }

  @Test func `rows without a key that walks replace are none of their own`() throws {
    func records(_ type: String) -> String { "Item: {table: items, write: replace, fields: {n: {type: \(type)}}}" }
    let first = try bench(records("integer"))
    try first.load(#"{"items": [{"n": 1}, {"n": "x"}]}"#)
    let second = try bench(records("text"), on: first)
    #expect(try second.replay(rejects: true).counts == ["Item: 1 = 1 rejected"])
    #expect(try second.rows("SELECT n FROM items") == ["1"])
  }

  @Test func `records without a key are appended once`() throws {
    func records(_ type: String) -> String { "Item: {table: items, write: append, fields: {n: {type: \(type)}}}" }
    let first = try bench(records("integer"), at: "'list[0].items[*]': Item")
    try first.load(#"{"list": [{"items": [{"n": 1}, {"n": "x"}]}]}"#)
    #expect(try rejects(first) == ["1|Item|/list/0/items/1|n"])
    let second = try bench(records("text"), at: "'list[0].items[*]': Item", on: first)
    #expect(try second.replay(rejects: true).counts == ["Item: 1 = 1 inserted"])
    #expect(try second.replay(rejects: true).counts == [])
    #expect(try second.rows("SELECT n FROM items") == ["1", "x"])
  }

  @Test func `the oldest comes first, and a signal leaves what is not mapped yet`() throws {
    let first = try bench(Self.strict)
    for text in ["a", "b", "c"] { try first.load(#"{"items": [{"id": 1, "n": "\#(text)"}]}"#) }
    let second = try bench(Self.wide, on: first)
    let countdown = Countdown(2)
    let run = try second.replay(rejects: true, isInterrupted: { countdown.isOver })
    #expect(run.failure?.kind == .interrupted)
    #expect(try second.rows("SELECT n FROM items") == ["b"] && rejects(second) == ["3|Item|/items/0|n"])
    #expect(try second.replay(rejects: true, endpoint: "others").counts == [])
    #expect(try second.replay(rejects: true, endpoint: "items").counts == ["Item: 1 = 1 updated"])
    #expect(try second.rows("SELECT n FROM items") == ["c"] && rejects(second) == [])
  }

  @Test func `tracked columns are of the replay, the source is the record's`() throws {
    let first = try bench(Self.strict)
    try first.load(#"{"items": [{"id": 1, "n": "a"}]}"#)
    let second = try bench(Self.wide.replacing("key: id", with: "key: id, track: true"), on: first)
    _ = try second.replay(rejects: true)
    #expect(try second.rows("SELECT _run_id, _source_url FROM items") == ["2|body-0.json"])
  }
}
