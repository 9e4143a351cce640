import Pipeline
import Testing

/// Children of rows that were not there before are stored without a look at what there is: the tables come out the same.
struct NewParentsTests {
  @Test func `a new parent that comes again in the body has its last list`() throws {
    let bench = try Bench.items()
    let run = try bench.load(
      #"""
      {"items": [{"id": 1, "tags": ["a", "b", "c"]}, {"id": 2, "tags": ["x"]}, {"id": 1, "tags": ["a", "z"]},
                 {"id": 2, "tags": []}, {"id": 2, "tags": ["y"]}, {"id": 3}, {"id": 3, "tags": ["q"]}]}
      """#)
    #expect(try bench.contents()["item_tags"] == ["1|0|a", "1|1|z", "2|0|y", "3|0|q"])
    #expect(run.counts.first == "Item: 7 = 3 inserted + 4 unchanged")
    #expect(try bench.faults().isEmpty)
  }

  @Test func `so has one that comes again in a later line of the batch, or a later file`() throws {
    let bench = try Bench.items()
    let lines = [
      #"{"items": [{"id": 1, "tags": ["a", "b", "c"]}]}"#,
      #"{"items": [{"id": 1, "tags": ["b"]}, {"id": 2, "tags": ["x"]}]}"#,
      #"{"items": [{"id": 2, "tags": ["x", "y"]}]}"#,
    ]
    try bench.load([lines.joined(separator: "\n"), #"{"items": [{"id": 2, "tags": ["y"]}]}"#], ending: "ndjson")
    #expect(try bench.contents()["item_tags"] == ["1|0|b", "2|0|y"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `rows that were left without their parent are what the next one's list is compared with`() throws {
    let bench = try Bench.items()
    try bench.load(#"{"items": [{"id": 1, "tags": ["a", "b", "c"]}, {"id": 2, "tags": ["x"]}]}"#)
    try bench.change("PRAGMA foreign_keys = OFF; DELETE FROM items WHERE id = 1")
    let run = try bench.load(#"{"items": [{"id": 1, "tags": ["a", "z"]}]}"#)
    #expect(try bench.contents()["item_tags"] == ["1|0|a", "1|1|z", "2|0|x"])
    #expect(run.counts == ["Item: 1 = 1 inserted", "Item.tags: 2 = 1 updated + 1 unchanged"])
    #expect(try bench.faults().isEmpty)
  }
}
