import Pipeline
import Testing

/// A body takes effect whole or not at all.
struct BodyIntakeTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo}
    records:
      Item:
        table: items
        key: id
        fields: {id: {type: integer}, v: {type: text}, strict: {type: integer, on_invalid: fail}, n: {type: integer}}
        relationships: {tags: [{fields: {tag: {from: ., type: text}}}], owner: User, seen: [User]}
      User: {table: users, key: id, fields: {id: {type: integer}, name: {type: text}}}
    endpoints:
      items:
        path: /items
        fetch: false
        records: {items: Item, must: {record: User, required: true}}
    """
  private static let first = #"""
    {"must": [{"id": 7, "name": "g"}],
     "items": [{"id": 1, "v": "old", "tags": ["a", "b"], "owner": {"id": 8, "name": "h"}, "seen": [{"id": 7}, {"id": 8}]}]}
    """#

  @Test(arguments: [
    (
      #"{"must": [{"id": 7, "name": "new"}], "items": [{"id": 1, "v": "new", "tags": []}, {"id": 2}, {"id": 3]}"#,
      "syntax"
    ),
    (#"{"must": [{"id": 7, "name": "new"}], "items": [{"id": 1, "v": "new", "seen": []}"#, "syntax"),
    (#"{"must": [{"id": 7}], "items": [{"id": 1, "owner": null}]} {}"#, "syntax"),
    (#"{"must": [{"id": 7}], "items": [{"id": 1, "v": "\#u{1}"}]}"#, "syntax"),
    (#"{"must": [{"id": 7}], "items": [{"id": 1, "v": "\ud800"}]}"#, "invalid-text"),
    (#"{"must": [{"id": 7}], "items": [{"id": 1, "v": "new"}], "items": [{"id": 2}]}"#, "duplicate-member"),
    (#"{"items": [{"id": 1, "v": "new", "tags": ["z"]}]}"#, "no-key-path"),
    (#"{"items": [{"id": 1, "v": "new", "tags": ["z"]}], "must": null}"#, "no-key-path"),
    (#"{"other": [{"id": 1}]}"#, "no-key-path"),
    (
      #"{"must": [{"id": 7, "name": "new"}], "items": [{"id": 1, "v": "new"}, {"id": "x"}, {"id": 2, "strict": "y"}]}"#,
      "invalid-value"
    ),
    (#"{"must": [{"id": 7}], "items": [{"id": 1, "v": \#(String(repeating: "[", count: 600))"#, "limit-depth"),
  ])
  func `a body that fails leaves the tables as they were, and its error`(_ body: String, _ code: String) throws {
    let bench = try Bench(Self.mapping)
    #expect(
      try bench.load(Self.first).counts == [
        "Item: 1 = 1 inserted", "User: 4 = 2 inserted + 2 unchanged", "Item.tags: 2 = 2 inserted",
      ])
    let before = try bench.contents()
    let run = try bench.load(body)
    #expect(run.failure?.kind == .failed)
    #expect(run.failure?.message.contains("body-0.json") == true)
    #expect(try bench.contents() == before)
    #expect(run.counts.isEmpty)
    #expect(try bench.rows("SELECT code, status, action FROM _ingest_errors") == ["\(code)|200|fail"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_rejects") == ["0"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_counts WHERE run_id = 2") == ["0"])
    #expect(try bench.rows("SELECT status FROM _ingest_runs ORDER BY run_id") == ["done", "failed"])
    #expect(try bench.faults().isEmpty)
    // The same session's store is usable again.
    #expect(try bench.load(Self.first).failure == nil)
    #expect(try bench.contents() == before)
  }

  @Test func `a body of many batches that fails at its end is undone whole`() throws {
    let bench = try Bench.items()
    try bench.load(#"{"items": [{"id": 5, "v": "old", "tags": ["a"]}, {"id": 6, "tags": ["x", "y"]}]}"#)
    let before = try bench.contents()
    let records = (0..<9000).map { #"{"id": \#($0), "v": "new", "tags": ["b", "c"]}"# }.joined(separator: ",")
    for end in [", {\"id\": ]}", "", "]"] {
      let run = try bench.load(#"{"items": [\#(records)\#(end)"#)
      #expect(run.failure != nil)
      #expect(run.counts.isEmpty && run.summary.preview.isEmpty)
      #expect(try bench.contents() == before)
    }
    let whole = try bench.load(#"{"items": [\#(records)]}"#)
    #expect(
      whole.counts == [
        "Item: 9000 = 8998 inserted + 2 updated", "Item.tags: 18000 = 17997 inserted + 3 updated",
      ])
    #expect(
      try bench.load(#"{"items": [\#(records)]}"#).counts == [
        "Item: 9000 = 9000 unchanged", "Item.tags: 18000 = 18000 unchanged",
      ])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `the same key many batches apart is one row, counted once`() throws {
    let bench = try Bench.items()
    let records = (0..<5000).map { #"{"id": \#($0)}"# } + [#"{"id": 0, "v": "late"}"#, #"{"id": 1, "tags": ["t"]}"#]
    let run = try bench.load(#"{"items": [\#(records.joined(separator: ","))]}"#)
    #expect(run.counts.first == "Item: 5002 = 5000 inserted + 2 unchanged")
    #expect(try bench.rows("SELECT id, v FROM items WHERE id < 2") == ["0|late", "1|null"])
    #expect(try bench.faults().isEmpty)
  }

  // MARK: NDJSON

  private static let lines = [
    #"{"items": [{"id": 1, "v": "a", "tags": ["x"]}]}"#, "", #"{"items": [{"id": 2}, {"id": "x"}]}"#,
    #"{"items": [{"id": 1, "v": "b"}]}"#,
  ]

  @Test(arguments: [
    (#"{"items": [{"id": 3, "tags": ["z"]}, {"id": 4, ]}"#, "syntax"), (#"{"items": [{"id": 3"#, "syntax"),
    (#"{"others": [{"id": 3}]}"#, "no-key-path"), (#"{"items": [{"id": 3}]} {"items": []}"#, "syntax"),
  ])
  func `the lines before a broken one stay, the rest is not read`(_ broken: String, _ code: String) throws {
    let bench = try Bench.items()
    let text = (Self.lines + [broken, #"{"items": [{"id": 9}]}"#]).joined(separator: "\n")
    let run = try bench.load([text, #"{"items": [{"id": 10}]}"#], ending: "ndjson")
    #expect(run.failure?.message.contains("body-0.ndjson:5") == true, "\(run.failure?.message ?? "")")
    #expect(try bench.contents() == ["items": ["1|b", "2|null"], "item_tags": ["1|0|x"]])
    #expect(run.counts == ["Item: 4 = 2 inserted + 1 updated + 1 rejected", "Item.tags: 1 = 1 inserted"])
    #expect(try bench.rows("SELECT source, pointer FROM _ingest_rejects") == ["body-0.ndjson:3|/items/1"])
    #expect(try bench.rows("SELECT code FROM _ingest_errors") == [code])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `a broken line behind a line of many batches takes back itself alone`() throws {
    let bench = try Bench.items()
    let many = (0..<6000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let broken = (6000..<12_000).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let text = "{\"items\": [\(many)]}\n{\"items\": [{\"id\": 6000}]}\n{\"items\": [\(broken), {]}\n"
    let run = try bench.load([text], ending: "jsonl")
    #expect(run.failure?.message.contains("body-0.jsonl:3") == true)
    #expect(run.counts == ["Item: 6001 = 6001 inserted"])
    #expect(try bench.rows("SELECT count(*), max(id) FROM items") == ["6001|6000"])
  }

  @Test func `many lines are several transactions, and add up`() throws {
    let bench = try Bench.items()
    let text = (0..<25_000).map { #"{"items": {"id": \#($0 % 20_000), "v": "\#($0)"}}"# }.joined(separator: "\n")
    let run = try bench.load([text], ending: "ndjson")
    #expect(run.counts == ["Item: 25000 = 20000 inserted + 5000 updated"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["20000"])
    #expect(try bench.load([text], ending: "ndjson").counts.count == 1)
    #expect(try bench.faults().isEmpty)
  }

  // MARK: several bodies, empty bodies

  @Test func `the first body that fails ends the load, the earlier ones stay`() throws {
    let bench = try Bench.items()
    let run = try bench.load([#"{"items": [{"id": 1}]}"#, #"{"items": [{"id": 2}"#, #"{"items": [{"id": 3}]}"#])
    #expect(run.failure?.message.hasPrefix("body-1.json: ") == true)
    #expect(try bench.rows("SELECT id FROM items") == ["1"])
    #expect(run.counts == ["Item: 1 = 1 inserted"])
  }

  @Test(arguments: ["", " \n ", "[]", "{}", "\u{FEFF}", #"{"items": []}"#, #"{"items": null}"#, #"{"items": [null]}"#])
  func `an empty body is a success without rows`(_ body: String) throws {
    let bench = try Bench.items()
    let run = try bench.load(body)
    #expect(run.failure == nil && run.counts.isEmpty)
    // What a download that failed leaves is told of.
    let isBlank = !body.contains("[") && !body.contains("{")
    let warning = "body-0.json: the body is empty: it brings no rows, and nothing is swept"
    #expect(run.warnings == (isBlank ? [warning] : []))
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
    #expect(try bench.rows("SELECT count(*) FROM _ingest_errors") == ["0"])
  }

  @Test(arguments: [
    (
      #"{"data": [], "meta": {}}"#,
      "none of the key paths is there: 'items' (Item): it leads nowhere; the body has 'data', 'meta'"
    ),
    (
      "[1]",
      "none of the key paths is there: 'items' (Item): it leads nowhere; the body is an array; its key path is '.'"
    ),
    (
      "5",
      "none of the key paths is there: 'items' (Item): it leads nowhere; the body is a number"
    ),
  ])
  func `a body without the places says what is there instead`(_ body: String, _ message: String) throws {
    #expect(try Bench.items().load(body).failure?.message == "body-0.json: \(message); the body begins: \(body)")
  }

  @Test func `a required place is named with what is wrong with it`() throws {
    let bench = try Bench(
      records: "Item: {key: id, fields: [id]}",
      endpoints: "e: {path: /e, fetch: false, records: {'a.b': {record: Item, required: true}}}")
    func message(_ body: String) throws -> String? { try bench.load(body).failure?.message }
    #expect(
      try message(#"{"a": {"c": 1}, "d": 2}"#)
        == "body-0.json: the key path 'a.b' is required, and is not there; the body has 'a', 'd'; the body begins: "
        + #"{"a": {"c": 1}, "d": 2}"#)
    #expect(
      try message(#"{"a": {"b": null}}"#)
        == #"body-0.json: the key path 'a.b' is required, and is null; the body begins: {"a": {"b": null}}"#)
    #expect(try message(#"{"a": {"b": [null]}}"#) == nil)
    #expect(try message(#"{"a": {"b": []}}"#) == nil)
  }

  // MARK: rejects and counts

  @Test func `rejects are counted as such, never as rows`() throws {
    let bench = try Bench.items()
    let body =
      #"{"items": [{"id": 1}, {"id": "x"}, {"id": 2, "tags": ["a", {"z": 1}]}, {"v": "no key"}, {"id": 1, "v": "again"}]}"#
    let run = try bench.load(body)
    #expect(run.failure == nil)
    #expect(
      run.counts == ["Item: 5 = 2 inserted + 1 unchanged + 2 rejected", "Item.tags: 2 = 1 inserted + 1 rejected"])
    #expect(run.summary.received == 7 && run.summary.rejected == 3)
    #expect(run.summary.records.allSatisfy { $0.isBalanced })
    #expect(run.summary.preview.map(\.pointer) == ["/items/1", "/items/2/tags/1", "/items/3"])
    #expect(
      try bench.rows("SELECT record, pointer, field, value FROM _ingest_rejects ORDER BY rowid") == [
        #"Item|/items/1|id|{"id": "x"}"#, #"Item.tags|/items/2/tags/1|tag|{"z": 1}"#,
        #"Item|/items/3|id|{"v": "no key"}"#,
      ])
    #expect(try bench.rows("SELECT status FROM _ingest_runs") == ["rejects"])
    let again = try bench.load(body)
    #expect(again.counts == ["Item: 5 = 3 unchanged + 2 rejected", "Item.tags: 2 = 1 unchanged + 1 rejected"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `a rejected element keeps the stored row or link of its key or position`() throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: [id], relationships: {tags: [Tag], notes: [Note], owner: Tag}}, "
        + "Tag: {table: tags, key: k, fields: {k: {type: integer}, v: {type: integer}}}, Note: {fields: {n: {type: integer}}}",
      endpoints: "e: {path: /e, fetch: false, records: {items: Item}}")
    try bench.load(
      #"{"items": [{"id": 1, "tags": [{"k": 1}, {"k": 2}, {"k": 3}], "notes": [{"n": 1}, {"n": 2}, {"n": 3}], "owner": {"k": 1}}]}"#
    )
    let run = try bench.load(
      #"{"items": [{"id": 1, "tags": [{"k": "x"}, {"k": 2, "v": "x"}], "notes": [{"n": "x"}], "owner": {"k": 1, "v": "x"}}]}"#
    )
    #expect(run.summary.rejected == 4)
    #expect(try bench.rows("SELECT tag_k, position FROM item_tags ORDER BY position") == ["1|0", "2|1"])
    #expect(try bench.rows("SELECT n FROM item_notes ORDER BY position") == ["1"])
    #expect(try bench.rows("SELECT owner_k FROM items") == ["1"])
    try bench.load(#"{"items": [{"id": 1, "owner": {"k": 2, "v": "x"}}]}"#)
    #expect(try bench.rows("SELECT owner_k FROM items") == ["null"])
    #expect(try bench.faults().isEmpty)
  }
}
