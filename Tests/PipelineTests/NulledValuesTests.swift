import Pipeline
import Testing

/// Values that `on_invalid: "null"` drops are told.
struct NulledValuesTests {
  private func bench() throws -> Bench {
    try Bench(
      records: """
        Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer, on_invalid: "null"}, m: {type:
        integer, on_invalid: "null"}, t: {type: integer, on_invalid: keep_text}}, relationships: {tags: [{fields: {k:
        {type: integer, on_invalid: "null"}}}]}}
        """,
      endpoints: "items: {path: /items, fetch: false, records: {items: Item}}")
  }

  @Test(arguments: ["json", "ndjson"])
  func `each column says once how many of its values became null`(_ ending: String) throws {
    let bodies = [
      #"{"items": [{"id": 1, "n": "x", "t": "x"}, {"id": 2, "n": {}, "m": 1.5, "tags": [{"k": "a"}, {"k": 1}]}]}"#,
      #"{"items": [{"id": 3, "n": "y"}, {"id": "rejected", "n": "z"}, {"id": 4, "n": null}, {"id": 5, "n": 5}]}"#,
    ]
    let run = try bench().load(bodies, ending: ending)
    #expect(run.failure == nil)
    #expect(
      Set(run.warnings) == [
        "Item.n: 3 values were invalid and became null, as 'on_invalid' says",
        "Item.m: 1 value was invalid and became null, as 'on_invalid' says",
        "Item.tags.k: 1 value was invalid and became null, as 'on_invalid' says",
      ])
    #expect(run.warnings.count == 3)
  }

  @Test func `what a failed body held became nothing`() throws {
    let bench = try bench()
    let run = try bench.load([#"{"items": [{"id": 1, "n": "x"}]}"#, #"{"items": [{"id": 2, "n": "x"}]"#])
    #expect(run.failure != nil)
    #expect(run.warnings == ["Item.n: 1 value was invalid and became null, as 'on_invalid' says"])
    let lines = try bench.load(
      [#"{"items": {"id": 1, "n": "x"}}"# + "\n" + #"{"items": [{"id": 2, "n": "x"}, 3 4]}"#], ending: "ndjson")
    #expect(lines.warnings == ["Item.n: 1 value was invalid and became null, as 'on_invalid' says"])
  }
}
