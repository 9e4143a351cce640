import Pipeline
import Testing

/// Sweeps: when rows that a walk has not seen go, and every case in which they stay.
struct SweepTests {
  /// Items at `items`, notes beside them.
  static func bench(sweep: String = "true", record: String = "", endpoint: String = "items: Item, notes: Note") throws
    -> Bench
  {
    try Bench(
      records:
        "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}, sweep: \(sweep)\(record)}, "
        + "Note: {table: notes, key: id, fields: [id]}",
      endpoints: "items: {path: /items, fetch: false, records: {\(endpoint)}}")
  }

  private static let three = #"{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "notes": []}"#

  @Test(arguments: [
    (#"{"items": [{"id": 2}], "notes": []}"#, "2 rows were swept"),
    (#"{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "notes": []}"#, "0 rows were swept"),
    (#"{"items": [], "notes": [{"id": 1}]}"#, "3 rows were swept"),
  ])
  func `rows that a complete walk has not seen go, and are reported apart`(_ body: String, _ said: String) throws {
    let bench = try Self.bench()
    try bench.load(Self.three)
    let run = try bench.load(body)
    #expect(run.messages.map(\.text) == ["Item: \(said)"])
    #expect(run.summary.records.allSatisfy { $0.deleted == 0 && $0.isBalanced })
    let count = Int(said.prefix(1)) ?? 0
    #expect(run.summary.records.map(\.swept) == [count, 0])
    #expect(try bench.rows("SELECT sum(swept) FROM _ingest_counts WHERE record = 'Item'") == ["\(count)"])
    #expect(try bench.rows("SELECT swept FROM _ingest_last_run") == ["\(count)"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["\(3 - count)"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `more rows go than are remembered in memory`() throws {
    let bench = try Self.bench(sweep: "{max_delete: 100%}")
    let count = (1 << 16) + 100
    try bench.load("{\"items\": [" + (0..<count).map { "{\"id\": \($0)}" }.joined(separator: ",") + "]}")
    let run = try bench.load(#"{"items": [{"id": 7}], "notes": []}"#)
    #expect(run.failure == nil)
    #expect(run.messages.map(\.text) == ["Item: \(count - 1) rows were swept"])
    #expect(try bench.rows("SELECT id FROM items") == ["7"])
    #expect(try bench.faults().isEmpty)
  }

  @Test(arguments: [
    // A place that is not there, though another is.
    (#"{"notes": []}"#, "is not there in body-0.json"), ("{}", "is not there"), ("[]", "is not there"),
    (" ", "is not there"),
    (#"{"items": null, "notes": []}"#, "'items' is null"),
    (#"{"items": [null, {"id": 1}]}"#, "an element of 'items' is null"),
    // A key that is missing, null or invalid.
    (#"{"items": [{"id": 1}, {"n": 1}]}"#, "rejected"), (#"{"items": [{"id": 1}, {"id": null}]}"#, "rejected"),
    (#"{"items": [{"id": "x"}]}"#, "rejected"), (#"{"items": [7]}"#, "rejected"),
    // Another record's key, in the same walk.
    (#"{"items": [], "notes": [{"id": null}]}"#, "rejected"),
  ])
  func `nothing goes, and the report says why`(_ body: String, _ reason: String) throws {
    let bench = try Self.bench()
    try bench.load(Self.three)
    let run = try bench.load(body)
    #expect(run.failure == nil)
    #expect(
      run.warnings.count { $0.hasPrefix("Item: nothing was swept: ") && $0.contains(reason) } == 1, "\(run.messages)")
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2", "3"])
    // What such a walk cannot say, the next one can.
    try bench.load(#"{"items": [{"id": 3}]}"#)
    #expect(try bench.rows("SELECT id FROM items") == ["3"])
  }

  @Test(arguments: [
    ([#"{"items": [{"id": 1}]}"#, "{"], 200, false), ([#"{"items": [{"id": 1}]}"#], 500, false),
    ([#"{"items": [{"id": 1}]}"#, #"{"other": 1}"#], 200, false), ([#"{"items": [{"id": 1}]}"#], 200, true),
  ])
  func `nothing goes after an error, and by a part`(_ bodies: [String], _ status: Int, _ isPartial: Bool) throws {
    let bench = try Self.bench()
    try bench.load(Self.three)
    let run = try bench.load(bodies, status: status, isPartial: isPartial)
    #expect((run.failure == nil) == isPartial)
    #expect(run.warnings.contains { $0.contains("--partial") } == isPartial)
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2", "3"])
  }

  @Test func `rejected records with a known key and skipped rows count as seen, filtered rows and tombstones do not`()
    throws
  {
    let bench = try Self.bench(
      record: ", modified: n, where: {hidden: {not: true}}, delete_when: {gone: true}", endpoint: "items: Item")
    try bench.load(#"{"items": [{"id": 1, "n": 5}, {"id": 2, "n": 5}, {"id": 3, "n": 5}, {"id": 4, "n": 5}]}"#)
    let run = try bench.load(
      #"{"items": [{"id": 1, "n": "x"}, {"id": 2, "n": 4}, {"id": 3, "n": 6, "hidden": true}, {"id": 4, "gone": true}]}"#
    )
    #expect(run.counts == ["Item: 4 = 1 deleted + 1 skipped + 1 filtered + 1 rejected"])
    #expect(run.messages.map(\.text) == ["Item: 1 row was swept"])
    #expect(try bench.rows("SELECT id, n FROM items") == ["1|5", "2|5"])
  }

  @Test func `lines are bodies of one walk`() throws {
    let bench = try Self.bench(endpoint: "'.': Item")
    try bench.load(["{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n"], ending: "ndjson")
    try bench.load(["{\"id\": 1}\n", "\n{\"id\": 3}"], ending: "ndjson")
    #expect(try bench.rows("SELECT id FROM items") == ["1", "3"])
    let run = try bench.load(["{\"id\": 1}\n{\"id\": 3"], ending: "ndjson")
    #expect(run.failure != nil)
    let null = try bench.load(["{\"id\": 1}\nnull\n"], ending: "ndjson")
    #expect(null.warnings.contains { $0.contains("body-0.ndjson:2") })
    #expect(try bench.rows("SELECT id FROM items") == ["1", "3"])
  }

  @Test func `a record with several places is swept when every place was there in every body`() throws {
    let bench = try Self.bench(endpoint: "items: Item, more: Item")
    try bench.load(#"{"items": [{"id": 1}, {"id": 2}], "more": [{"id": 3}]}"#)
    #expect(try bench.load(#"{"items": [{"id": 1}]}"#).warnings.contains { $0.contains("'more' is not there") })
    #expect(
      try bench.load([#"{"items": [{"id": 1}], "more": []}"#, #"{"more": [{"id": 3}]}"#]).warnings.contains {
        $0.contains("'items' is not there in body-1.json")
      })
    #expect(try bench.rows("SELECT id FROM items") == ["1", "2", "3"])
    try bench.load([#"{"items": [{"id": 1}], "more": []}"#, #"{"items": [], "more": [{"id": 3}]}"#])
    #expect(try bench.rows("SELECT id FROM items") == ["1", "3"])
  }

  @Test func `one record is swept though another's place is not there`() throws {
    let bench = try Bench(
      records: "A: {table: a, key: id, fields: [id], sweep: true}, B: {table: b, key: id, fields: [id], sweep: true}",
      endpoints: "e: {path: /e, fetch: false, records: {a: A, b: B}}")
    try bench.load(#"{"a": [{"id": 1}, {"id": 2}], "b": [{"id": 1}, {"id": 2}]}"#)
    let run = try bench.load(#"{"a": [{"id": 1}, null], "b": [{"id": 1}]}"#)
    #expect(
      run.messages.map(\.text) == [
        "A: nothing was swept: an element of 'a' is null in body-0.json", "B: 1 row was swept",
      ])
    #expect(try bench.contents() == ["a": ["1", "2"], "b": ["1"]])
  }

  @Test func `a choice that rejects leaves everything, one that skips does not matter`() throws {

    let bench = try Bench(
      records: "A: {table: a, key: id, fields: [id], sweep: true}, "
        + "Any: {switch: [{when: {kind: a}, record: A}, {when: {kind: b}, record: B}]}, "
        + "B: {table: b, key: id, fields: [id]}",
      endpoints: "e: {path: /e, fetch: false, records: {'.': Any}}")
    try bench.load(#"[{"kind": "a", "id": 1}, {"kind": "a", "id": 2}]"#)
    let run = try bench.load(#"[{"kind": "a", "id": 1}, {"kind": "c", "id": 2}]"#)
    #expect(run.warnings.contains { $0.hasPrefix("A: nothing was swept: a record of 'Any' was rejected") })
    try bench.load(#"[{"kind": "a", "id": 1}, {"kind": "b", "id": 2}]"#)
    #expect(try bench.contents() == ["a": ["1"], "b": ["2"]])
  }

  @Test(arguments: [
    ("{max_delete: 1}", 2, true), ("{max_delete: 2}", 2, false), ("{max_delete: 20%}", 3, true),
    ("{max_delete: 20%}", 2, false), ("true", 10, false), ("{where: 'n is null', max_delete: 0}", 0, false),
    ("{max_delete: 0}", 1, true),
  ])
  func `a sweep of more than max_delete is refused, and the rows stay`(
    _ sweep: String, _ count: Int, _ isRefused: Bool
  ) throws {
    let bench = try Self.bench(sweep: sweep, endpoint: "items: Item")
    func items(_ range: Range<Int>) -> String {
      #"{"items": [\#(range.map { #"{"id": \#($0)}"# }.joined(separator: ", "))]}"#
    }
    try bench.load(items(0..<10))
    let run = try bench.load(items(count..<10))
    #expect((run.failure != nil) == isRefused)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["\(isRefused ? 10 : 10 - count)"])
    guard let failure = run.failure else { return }
    #expect(failure.kind == .failed)
    for part in ["'Item'", "\(count) of the scope's 10 rows", "max_delete"] { #expect(failure.message.contains(part)) }
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["1"])
  }

  @Test func `the default bound counts the rows that the scope had before the walk`() throws {
    let bench = try Self.bench(endpoint: "items: Item")
    func items(_ range: Range<Int>) -> String {
      #"{"items": [\#(range.map { #"{"id": \#($0)}"# }.joined(separator: ", "))]}"#
    }
    try bench.load(items(0..<20))
    #expect(try bench.load(items(11..<100)).failure != nil)
    // What the refused walk has brought belongs to the scope.
    #expect(try bench.load(items(10..<100)).messages.map(\.text) == ["Item: 10 rows were swept"])
  }

  @Test func `an error in the sweep's condition is found before a row comes`() throws {
    let bench = try Self.bench(sweep: "{where: \"no_column = 1\"}", endpoint: "items: Item")
    let run = try bench.load(#"{"items": [{"id": 1}]}"#)
    #expect(run.failure?.message.contains("'sweep.where' of the record 'Item' cannot be run: ") == true)
    #expect(run.failure?.kind == .refused)
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
  }

  @Test func `rows that no walk has seen stay`() throws {
    let bench = try Self.bench(endpoint: "items: Item")
    try bench.load(#"{"items": [{"id": 1}, {"id": 2}]}"#)
    try bench.change("INSERT INTO items VALUES (9, 9)")
    try bench.load(#"{"items": [{"id": 1}]}"#)
    #expect(try bench.rows("SELECT id FROM items") == ["1", "9"])
    // A row that went and that somebody else brings back is none of the scope's.
    try bench.change("INSERT INTO items VALUES (2, 9)")
    try bench.load(#"{"items": []}"#)
    #expect(try bench.rows("SELECT id FROM items") == ["2", "9"])
  }

  @Test func `a mapping without sweep and replace makes no table and keeps no sightings`() throws {
    let bench = try Bench.items()
    try bench.load(#"{"items": [{"id": 1}]}"#)
    #expect(try bench.rows("SELECT name FROM sqlite_schema WHERE name GLOB '_ingest_s[ce]e*'").isEmpty)
    #expect(try bench.rows("SELECT count(*) FROM _ingest_scopes") == ["0"])
  }

  @Test func `a walk that sees what the one before saw writes nothing`() throws {
    let bench = try Self.bench(endpoint: "items: Item")
    try bench.load(Self.three)
    let before = try bench.rows("SELECT * FROM _ingest_seen_items")
    #expect(before == ["1|1|1", "2|1|1", "3|1|1"])
    try bench.load(Self.three)
    #expect(try bench.rows("SELECT * FROM _ingest_seen_items") == before)
  }
}
