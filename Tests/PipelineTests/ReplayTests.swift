import Fetch
import Pipeline
import Testing
import Values

/// Answers of the archive, mapped again.
struct ReplayTests {
  private static let items = "id: {type: integer}, n: {type: integer}"

  private func bench(
    _ fields: String = items, record: String = "key: id", endpoint: String = "path: /items",
    source: String = "base_url: 'https://api.example.test'", variables: String = "{}",
    values: [(name: String, value: Literal)] = [], on other: Bench? = nil
  ) throws -> Bench {
    try Bench(
      """
      ingest: 1
      source: {name: demo, \(source)}
      store: {archive: true}
      variables: \(variables)
      records: {Item: {table: items, \(record), fields: {\(fields)}}}
      endpoints: {items: {\(endpoint), records: {items: Item}}}
      """, variables: values, on: other)
  }

  private static func body(_ items: String...) -> String { #"{"items": [\#(items.joined(separator: ", "))]}"# }

  private static func item(_ id: Int, _ n: Int) -> String { #"{"id": \#(id), "n": \#(n), "x": \#(n * 10)}"# }

  @Test func `a column that was added is filled, and a second replay changes nothing`() throws {
    let first = try bench()
    try first.load([Self.body(Self.item(1, 1), Self.item(2, 2)), Self.body(Self.item(2, 3))])
    let wider = try bench(Self.items + ", x: {type: integer}", on: first)
    let run = try wider.replay()
    #expect(run.failure == nil && run.counts == ["Item: 3 = 3 updated"])
    #expect(try wider.rows("SELECT id, n, x FROM items ORDER BY id") == ["1|1|10", "2|3|30"], "the newest counts")
    #expect(try wider.rows("SELECT command, status FROM _ingest_runs") == ["load|done", "replay|done"])
    #expect(try wider.replay().counts == ["Item: 3 = 2 updated + 1 unchanged"], "from new to old, and back")
    #expect(try wider.rows("SELECT id, n, x FROM items ORDER BY id") == ["1|1|10", "2|3|30"])
    #expect(try wider.rows("SELECT count(*) FROM _ingest_responses") == ["2"], "a replay archives nothing")
    #expect(try wider.faults().isEmpty)
  }

  @Test(arguments: [
    ("write: upsert, key: id", "id: {type: integer}, n: {type: integer}", "items: Item", ["1|5", "4|8"], 2),
    ("key: id", "id: {type: integer}, n: $parent.note", "items: Item", [], 4),
    ("key: id", "id: {type: integer}, n: $response.headers.x-echo", "items: Item", [], 4),
    ("key: id", "id: {type: integer}, n: {const: 1}", "\"more.*\": Item", ["9|1"], 1),
    ("switch: [{when: {id: 1}, record: One}, {else: skip}]", "", "items: Item", ["1|5"], 2),
  ])
  func `only records in which a secret was replaced are left out`(
    _ record: String, _ fields: String, _ places: String, _ rows: [String], _ rejected: Int
  ) throws {
    let secret = "quince/77"
    let isChoice = record.hasPrefix("switch")
    let one = "One: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}}"
    func bench(_ records: String, _ places: String, on other: Bench? = nil) throws -> Bench {
      try Bench(
        """
        ingest: 1
        source: {name: demo, base_url: "https://api.example.test", headers: {X-Key: "${secret.K}"}}
        store: {archive: true}
        records: {\(records)}
        endpoints: {items: {path: /items, records: {\(places)}}}
        """, secrets: ["K": secret], on: other)
    }
    let first = try bench("Item: {table: firsts, key: id, fields: {id: {type: integer}}}", "items: Item")
    let items =
      #"{"id": 1, "n": 5}, {"id": 2, "n": 6, "x": ["\#(secret)"]}, {"id": 3, "\#(secret)": 1}, {"id": 4, "n": 8}"#
    let body = #"{"note": "\#(secret)", "items": [\#(items)], "more": {"\#(secret)": {"id": 8}, "b": {"id": 9}}}"#
    let echo = HTTPHeader("X-Echo", secret)
    _ = try first.run(Script([.status(200, body, headers: [echo])]))
    let item = isChoice ? "Item: {\(record)}, \(one)" : "Item: {table: items, \(record), fields: {\(fields)}}"
    let replaying = try bench(item, places, on: first)
    let run = try replaying.replay()
    #expect(run.failure == nil && run.summary.rejected == rejected, "\(run.failure?.message ?? "") \(run.counts)")
    #expect(try replaying.rows("SELECT id, n FROM items ORDER BY id") == rows)
    #expect(try replaying.rows("SELECT DISTINCT redacted FROM _ingest_rejects") == ["1"] && replaying.faults().isEmpty)
    // Nor are they mapped from where they are kept.
    _ = try replaying.replay(rejects: true)
    #expect(try replaying.rows("SELECT id, n FROM items ORDER BY id") == rows)
  }

  @Test func `what stood around an answer is what stood there then`() throws {
    let fields =
      "id: {type: integer}, url: $request.url, page: $query.page, at: $fetched_at, status: $response.status, "
      + "etag: $response.headers.x-part, owner: $route.owner, q: $var.q, none: $query.none, run: {from: $run.id, type: "
      + "integer}"
    func endpoint(_ params: String) -> String { "path: '/o/:owner/items', params: {\(params)}" }
    let first = try bench(
      fields, endpoint: endpoint("page: '7'"), variables: "{owner: a/b, q: {type: integer, default: 1}}",
      values: [("q", .number("5"))])
    let answer = Script.Answer.status(200, Self.body(#"{"id": 1}"#), headers: [HTTPHeader("X-Part", "p")])
    #expect(try first.run(Script([answer])).failure == nil)
    let columns = "url, page, at, status, etag, owner, q, none"
    let before = try first.rows("SELECT \(columns) FROM items")
    #expect(before[0].hasPrefix("https://api.example.test/o/a%2Fb/items?page=7|7|20"))
    // Other values, another base URL, and no value for what requests need.
    try first.change("UPDATE items SET url = 0, page = 0, at = 0, status = 0, etag = 0, owner = 0, q = 0, none = 0")
    let second = try bench(
      fields, endpoint: endpoint("page: '8', key: '${env.NO}'"), source: "base_url: '${env.NO}'",
      variables: "{owner: c, q: {type: integer, default: 2}, more: 3}", on: first)
    #expect(try second.replay().counts == ["Item: 1 = 1 updated"])
    #expect(try second.rows("SELECT \(columns) FROM items") == before.map { $0.replacing("|null", with: "|0") })
    #expect(try second.rows("SELECT run FROM items") == ["2"], "the run is the one that maps")
  }

  @Test func `an answer is routed by its path, whatever its endpoint is called now`() throws {
    let first = try bench(endpoint: "path: '/v1/items'")
    _ = try first.run(Script(bodies: [Self.body(Self.item(1, 1))]))
    let moved = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://other.example.test/v1"}
      records: {Thing: {table: things, key: id, fields: [id, x]}}
      endpoints: {all: {path: /:kind, fetch: false, records: {items: Thing}}}
      """, on: first)
    #expect(try moved.replay().counts == ["Thing: 1 = 1 inserted"])
    #expect(try moved.rows("SELECT id, x FROM things") == ["1|10"])
    let gone = try Bench(
      """
      ingest: 1
      source: {name: demo, base_url: "https://other.example.test"}
      records: {Thing: {table: things, key: id, fields: [id, x]}}
      endpoints: {all: {path: /elsewhere, fetch: false, records: {items: Thing}}}
      """, on: first)
    let run = try gone.replay()
    #expect(run.failure == nil && run.counts == [])
    #expect(
      run.warnings == [
        "1 answer of the archive of the endpoint 'items' matches nothing of this mapping, and was left out"
      ])
  }

  @Test func `only the source's own answers are mapped, and only those of the endpoint that is named`() throws {
    let first = try bench()
    try first.load(Self.body(Self.item(1, 1)))
    #expect(try first.replay(endpoint: "items").counts == ["Item: 1 = 1 unchanged"])
    #expect(try first.replay(endpoint: "others").counts == [])
    let foreign = try Bench(
      "ingest: 1\nsource: {name: another}\nrecords: {Item: {table: items, key: id, fields: [id]}}\n"
        + "endpoints: {items: {path: /items, fetch: false, records: {items: Item}}}\n", on: first)
    let run = try foreign.replay()
    #expect(
      run.counts == [] && run.failure?.kind == .refused
        && run.failure?.message
          == "the archive has no answers: they are kept for endpoints with 'archive: true': write that, run once more, "
          + "then replay"
    )
  }

  // MARK: all or nothing

  @Test func `a body that fails undoes the whole replay, and is told`() throws {
    let first = try bench()
    try first.load([Self.body(Self.item(1, 1)), Self.body(Self.item(1, 3))])
    let before = try first.contents()
    let strict = try bench("id: {type: integer}, n: {type: integer, check: {max: 2}, on_invalid: fail}", on: first)
    let run = try strict.replay()
    #expect(run.failure?.kind == .failed && run.failure?.message.contains("body-1.json") ?? false)
    #expect(run.counts == [] && run.warnings.contains { $0.contains("the tables are as they were before it") })
    #expect(try first.contents()["items"] == before["items"])
    #expect(try first.rows("SELECT command, status FROM _ingest_runs WHERE run_id = 2") == ["replay|failed"])
    #expect(try first.rows("SELECT endpoint, code, action FROM _ingest_errors") == ["items|invalid-value|fail"])
    #expect(try first.rows("SELECT count(*) FROM _ingest_counts WHERE run_id = 2") == ["0"])
  }

  @Test func `a signal undoes it too`() throws {
    let bench = try bench()
    try bench.load([Self.body(Self.item(1, 1)), Self.body(Self.item(1, 2)), Self.body(Self.item(1, 3))])
    let count = Countdown(4)
    let run = try bench.replay(isInterrupted: { count.isOver })
    #expect(run.failure?.kind == .interrupted)
    #expect(try bench.rows("SELECT id, n FROM items") == ["1|3"])
  }

  @Test func `a damaged answer is named`() throws {
    let bench = try bench()
    try bench.load(Self.body(Self.item(1, 1)))
    try bench.change("UPDATE _ingest_responses SET body = substr(body, 1, length(body) - 1)")
    let run = try bench.replay()
    #expect(run.failure?.message.contains("(response_id 1 of _ingest_responses) cannot be read: ") ?? false, "\(run)")
  }

  // MARK: what is written how

  @Test func `rows that a walk has removed do not come back, nor are others removed`() throws {
    for rule in ["sweep: true", "write: replace"] {
      let bench = try bench(record: "key: id, \(rule)")
      try bench.load(Self.body(Self.item(1, 1), Self.item(2, 1), Self.item(3, 1)))
      try bench.load(Self.body(Self.item(1, 2), Self.item(3, 2)))
      try bench.load([Self.body(Self.item(3, 3), Self.item(4, 3))], isPartial: true)
      try bench.change("INSERT INTO items VALUES (9, 9)")
      let before = try bench.contents()
      #expect(before["items"] == ["1|2", "3|3", "4|3", "9|9"])
      let run = try bench.replay()
      #expect(run.failure == nil && run.warnings == [], "\(rule): \(run.messages)")
      #expect(run.messages.contains { $0.text.hasPrefix("1 answer of the archive left out") })
      #expect(try bench.contents() == before, "\(rule)")
      // What the replay has brought is still known as the scope's.
      try bench.load(Self.body(Self.item(3, 4)))
      #expect(try bench.contents()["items"] == ["3|4", "9|9"], "\(rule)")
    }
  }

  @Test func `a row that only the mapping of today takes is swept when a walk no longer sees it`() throws {
    let first = try bench(record: "key: id, sweep: true, where: {n: {lt: 5}}")
    try first.load(Self.body(Self.item(1, 1), Self.item(2, 7)))
    let wider = try bench(record: "key: id, sweep: true", on: first)
    #expect(try wider.replay().counts == ["Item: 2 = 1 inserted + 1 unchanged"])
    try wider.load(Self.body(Self.item(1, 1)))
    #expect(try wider.contents()["items"] == ["1|1"])
  }

  @Test func `rows without a key become those of the last walk again`() throws {
    let rule = "write: replace"
    let first = try bench("n: {type: integer}", record: rule)
    try first.load([Self.body(Self.item(1, 1), Self.item(2, 2))])
    try first.load([Self.body(Self.item(1, 5)), Self.body(Self.item(1, 6))])
    let same = try first.replay()
    #expect(same.failure == nil && same.counts == ["Item: 2 = 2 unchanged"], "\(same)")
    let wider = try bench("n: {type: integer}, x: {type: integer}", record: rule, on: first)
    let run = try wider.replay()
    #expect(run.failure == nil && run.counts == ["Item: 2 = 2 inserted"] && run.warnings == [], "\(run)")
    #expect(try wider.rows("SELECT n, x FROM items ORDER BY n") == ["5|50", "6|60"])
    #expect(try wider.replay().counts == ["Item: 2 = 2 unchanged"])
    // A walk may not replace what it cannot tell apart, and then nothing of it changes.
    let ignoring = try bench(
      "n: {type: integer}", record: rule,
      endpoint: "path: /items, errors: [{when: {items: {exists: true}}, action: ignore}]", on: first)
    #expect(try ignoring.replay().failure == nil)
    #expect(try wider.rows("SELECT n FROM items ORDER BY n") == ["5", "6"])
  }

  @Test func `answers from before a record was replaced are left out where their order is not known`() throws {
    let first = try bench()
    try first.load(Self.body(Self.item(1, 1)))
    let keyless = try Bench(
      "ingest: 1\nsource: {name: demo}\nrecords: {Item: {table: lines, write: replace, fields: {n: {type: integer}}}}\n"
        + "endpoints: {items: {path: /items, fetch: false, records: {items: Item}}}\n", on: first)
    let run = try keyless.replay()
    #expect(run.failure == nil && run.counts == [] && run.warnings.count == 1)
    #expect(run.warnings[0].contains("'Item' has no key and is replaced by walks"), "\(run.warnings)")
  }

  @Test(arguments: [("write: append", "appends its rows"), ("key: id, write: history", "keeps its history")])
  func `what would be stored a second time is refused`(_ record: String, _ reason: String) throws {
    let bench = try bench(record: record)
    try bench.load(Self.body(Self.item(1, 1)))
    let before = try bench.contents()
    let run = try bench.replay()
    #expect(run.failure?.kind == .refused && run.failure?.message.contains(reason) ?? false, "\(run)")
    #expect(try bench.contents() == before)
  }

  @Test func `a history that knows what is newer is replayed`() throws {
    let bench = try bench(record: "key: id, write: history, modified: n")
    try bench.load(Self.body(Self.item(1, 1)))
    try bench.load(Self.body(Self.item(1, 2)))
    let before = try bench.contents()
    #expect(try bench.replay().counts == ["Item: 2 = 2 skipped"])
    #expect(try bench.contents() == before)
  }

  @Test func `rows that are newer than an answer stay, where the record says what is newer`() throws {
    let bench = try bench(record: "key: id, modified: n")
    try bench.load(Self.body(Self.item(1, 1)))
    try bench.change("UPDATE items SET n = 5")
    #expect(try bench.replay().counts == ["Item: 1 = 1 skipped"])
    #expect(try bench.rows("SELECT n FROM items") == ["5"])
  }

  @Test func `tracked columns are of the replay, the source is the answer's`() throws {
    let first = try bench(record: "key: id, track: true")
    _ = try first.run(Script(bodies: [Self.body(Self.item(1, 1))]))
    try first.change("UPDATE items SET _ingested_at = '2015-07-04 00:00:00'")
    #expect(try first.replay().counts == ["Item: 1 = 1 unchanged"])
    #expect(try first.rows("SELECT _run_id FROM items") == ["1"])
    let second = try bench(Self.items + ", x: {type: integer}", record: "key: id, track: true", on: first)
    #expect(try second.replay().counts == ["Item: 1 = 1 updated"])
    #expect(
      try second.rows("SELECT _run_id, _source_url, _ingested_at > '2016' FROM items") == [
        "3|https://api.example.test/items|1"
      ])
  }

  @Test func `lines, and text in another encoding, are read as they were`() throws {
    let bench = try bench(endpoint: "path: /items, format: ndjson")
    try bench.load(["{\"items\": [{\"id\": 1, \"n\": 1}]}\n\n{\"items\": [{\"id\": 2, \"n\": 2}]}\n"], ending: "txt")
    #expect(try bench.replay().counts == ["Item: 2 = 2 unchanged"])
    let other = try self.bench()
    let answer = Script.Answer.status(
      200, Self.body(Self.item(1, 1)), headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")])
    _ = try other.run(Script([answer, .status(204)]))
    #expect(try other.replay().counts == ["Item: 1 = 1 unchanged"])
  }

  @Test func `error rules of today count, and what they ignore has no rows`() throws {
    let first = try bench()
    _ = try first.run(Script(bodies: [#"{"items": [{"id": 1, "n": 1}], "ok": false}"#]))
    let ignoring = try bench(
      endpoint: "path: /items, errors: [{when: {ok: false}, action: ignore, message: m}]", on: first)
    let run = try ignoring.replay()
    #expect(run.failure == nil && run.counts == [] && run.warnings.contains { $0.contains("it is ignored") })
    let failing = try bench(endpoint: "path: /items, errors: [{when: {ok: false}, action: fail}]", on: first)
    #expect(try failing.replay().failure?.kind == .failed)
  }

  // MARK: whatever was stored

  /// A replay under the same mapping leaves the tables as they are, whatever walks were before it.
  @Test(arguments: 1...5, ["sweep: {max_delete: 100}", "write: replace", "unmapped: ignore"])
  func `a replay changes nothing that the archive knows`(_ seed: Int, _ rule: String) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(sides))
    }
    let bench = try bench(
      "id: {type: integer}, n: {type: integer}, m: {type: integer}",
      record: "key: id, \(rule), relationships: {tags: "
        + "[{fields: {tag: {from: ., type: integer}}}]}")
    for step in 1...15 {
      let bodies = (0...roll(2)).map { _ in
        let items = (0..<roll(5)).map { _ -> String in
          let more = [#", "m": \#(roll(4))"#, "", #", "tags": [\#(roll(3)), \#(roll(3))]"#, #", "n": "x""#][roll(4)]
          return #"{"id": \#(roll(7)), "n": \#(roll(4))\#(more)}"#
        }
        return Self.body(items.joined(separator: ", "))
      }
      let isCut = roll(5) == 0
      try bench.load(bodies + (isCut ? ["{"] : []), isPartial: roll(4) == 0)
      let before = try bench.contents()
      let run = try bench.replay()
      #expect(run.failure == nil, "seed \(seed), step \(step): \(run.messages)")
      #expect(try bench.contents() == before, "seed \(seed), step \(step)")
      #expect(run.summary.records.allSatisfy { $0.isBalanced })
    }
    #expect(try bench.faults().isEmpty)
  }
}
