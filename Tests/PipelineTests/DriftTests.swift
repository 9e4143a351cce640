import Pipeline
import Testing

/// What changes in the members of answers from run to run.
struct DriftTests {
  private static let yaml = """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test"}
    records:
      Item: {table: items, key: id, fields: {id: {type: integer}}, relationships: {parts: [{fields: {n: $key}}]}}
      Part: {table: parts, key: id, fields: {id: $key}}
    endpoints:
      items: {path: /items, records: {items: Item}, paginate: {by: page, param: p, start: 1}}
      parts: {path: /parts, fetch: false, records: {by_name.*: Part}}
      lines: {path: /lines, fetch: false, format: ndjson, records: {.: Item}}
    """

  private static func bench() throws -> Bench {
    let bench = try Bench(yaml)
    bench.watchesDrift = true
    return bench
  }

  struct Step: Sendable, CustomTestStringConvertible {
    var name: String
    var before: [String]
    var after: [String]
    var changes: [String] = []
    var endpoint = "items"

    var testDescription: String { name }
  }

  private static func items(_ items: String...) -> String { "{\"items\": [\(items.joined(separator: ", "))]}" }
  private static func many(_ count: Int, _ more: (Int) -> String) -> String {
    "{\"items\": [\((1...count).map { "{\"id\": \($0)\(more($0))}" }.joined(separator: ", "))]}"
  }

  @Test(arguments: [
    Step(name: "the same", before: [items(#"{"id": 1, "a": "x"}"#)], after: [items(#"{"a": "other", "id": 9}"#)]),
    Step(
      name: "new, at any depth, its own members aside", before: [items(#"{"id": 1, "a": {}}"#)],
      after: [items(#"{"id": 1, "a": {"b": [{"c": 1}]}}"#, #"{"id": 2, "a": {}, "x y": null}"#)],
      changes: ["'items[*].a.b' is new: array, in 1 of 2", #"'items[*]."x y"' is new: null, in 1 of 2"#]),
    Step(
      name: "around the records too", before: [#"{"items": [], "next": "x"}"#],
      after: [#"{"items": [], "cursor": "x"}"#],
      changes: [
        "'cursor' is new: string, in 1 of 1", "'next' is gone: 1 of 1 had it, and none of 1 has it",
      ]),
    Step(
      name: "gone", before: [many(3) { _ in ", \"a\": 1" }], after: [many(2) { _ in "" }],
      changes: ["'items[*].a' is gone: 3 of 3 had it, and none of 2 have it"]),
    Step(
      name: "gone, against very many that had it", before: [many(60) { _ in ", \"a\": 1" }],
      after: [many(5) { _ in "" }], changes: ["'items[*].a' is gone: 60 of 60 had it, and none of 5 have it"]),
    Step(
      name: "null always, against very many that were not",
      before: [many(60) { ", \"a\": \($0 > 2 ? "1" : "null")" }], after: [many(5) { _ in ", \"a\": null" }],
      changes: ["'items[*].a' is null in all of 5, before in 2 of 60"]),
    Step(
      name: "what half of the objects have may be absent six times", before: [many(4) { $0 > 2 ? ", \"a\": 1" : "" }],
      after: [many(6) { _ in "" }]),
    Step(
      name: "but not seven times", before: [many(4) { $0 > 2 ? ", \"a\": 1" : "" }], after: [many(7) { _ in "" }],
      changes: ["'items[*].a' is gone: 2 of 4 had it, and none of 7 have it"]),
    Step(name: "no objects, nothing gone", before: [items(#"{"id": 1, "a": 1}"#)], after: [items()]),
    Step(
      name: "of another type", before: [items(#"{"id": 1, "a": 1, "b": [1], "c": true}"#)],
      after: [items(#"{"id": 1, "a": "1", "b": ["x"], "c": {"d": 1}}"#)],
      changes: [
        "'items[*].a' is of another type: string, before integer",
        "'items[*].b[*]' is of another type: string, before integer",
        "'items[*].c' is of another type: object, before boolean",
      ]),
    Step(
      name: "a fraction is another type than a whole number", before: [items(#"{"id": 1, "a": 1}"#)],
      after: [items(#"{"id": 1, "a": 1.5}"#)], changes: ["'items[*].a' is of another type: number, before integer"]),
    Step(
      name: "but not the other way round", before: [items(#"{"id": 1, "a": 1.5}"#)],
      after: [items(#"{"id": 1, "a": 1}"#)]),
    Step(
      name: "null as never before", before: [items(#"{"id": 1, "a": 1}"#)],
      after: [items(#"{"id": 1, "a": 1}"#, #"{"id": 2, "a": null}"#)],
      changes: ["'items[*].a' is null in 1 of 2, before never in 1"]),
    Step(
      name: "null as before", before: [many(4) { ", \"a\": \($0 > 2 ? "1" : "null")" }],
      after: [many(6) { _ in ", \"a\": null" }]),
    Step(
      name: "always null", before: [many(4) { ", \"a\": \($0 > 2 ? "1" : "null")" }],
      after: [many(7) { _ in ", \"a\": null" }],
      changes: ["'items[*].a' is null in all of 7, before in 2 of 4"]),
    Step(
      name: "a value in place of null is none", before: [items(#"{"id": 1, "a": null}"#)],
      after: [items(#"{"id": 1, "a": 1}"#)]),
    Step(
      name: "another kind of body", before: [#"{"items": []}"#], after: [#"[]"#],
      changes: ["'.' is of another type: array, before object"]),
    Step(
      name: "names that the mapping steps through are data", before: [#"{"by_name": {"a": {"n": 1}, "b": {"n": 2}}}"#],
      after: [#"{"by_name": {"c": {"n": "1"}}}"#],
      changes: ["'by_name.*.n' is of another type: string, before integer"], endpoint: "parts"),
    Step(
      name: "names that look like values are data",
      before: [#"{"items": [], "days": {"2024-01-01": 1}, "ids": {"17": 1}, "who": {"a@example.test": 1}}"#],
      after: [#"{"items": [], "days": {"2024-01-02": 1}, "ids": {"18": 1}, "who": {"b@example.test": 1}}"#]),
    Step(
      name: "so are very many",
      before: ["{\"items\": [], \"d\": {\((1...201).map { "\"a\($0)\": 1" }.joined(separator: ","))}}"],
      after: [#"{"items": [], "d": {"b1": 2, "b2": "x"}}"#],
      changes: ["'d.*' is of another type: string, before integer"]),
    Step(
      name: "one record with very many names makes a dictionary, and that is told",
      before: [items(#"{"id": 1, "a": "x"}"#)],
      after: [items("{\"id\": 1, \((1...201).map { "\"m\($0)\": 1" }.joined(separator: ", "))}")],
      changes: [
        "'items[*]' is a dictionary now: more than 200 names, which are compared as one, before 2 names"
      ]),
    Step(
      name: "names that are data take no others with them", before: [items(#"{"id": 1, "a": "x", "17": 1}"#)],
      after: [items(#"{"id": 1, "a": 2, "18": 1}"#)],
      changes: ["'items[*].a' is of another type: integer, before string"]),
    Step(
      name: "data beside names is new once", before: [items(#"{"id": 1, "a": "x"}"#)],
      after: [items(#"{"id": 1, "2024-01-01": true, "2024-01-02": true}"#, #"{"id": 2, "a": 3}"#)],
      changes: [
        "'items[*].a' is of another type: integer, before string",
        "'items[*].*' is new: boolean, 2 by names that are data",
      ]),
    Step(
      name: "names with an @ in front are names", before: [items(#"{"id": 1, "@type": "x", "a": 1}"#)],
      after: [items(#"{"id": 1, "@type": 7, "a": "x"}"#)],
      changes: [
        "'items[*].@type' is of another type: integer, before string",
        "'items[*].a' is of another type: string, before integer",
      ]),
    Step(
      name: "several bodies are one look", before: [items(#"{"id": 1}"#), items(#"{"id": 2, "a": 1}"#)],
      after: [items(#"{"id": 3, "a": 1}"#), items(#"{"id": 4}"#)]),
    Step(
      name: "lines", before: ["{\"id\": 1, \"a\": 1}\n{\"id\": 2}\n"], after: ["{\"id\": 1, \"b\": 1}\n"],
      changes: ["'b' is new: integer, in 1 of 1"], endpoint: "lines"),
  ])
  func `a change is said once`(_ step: Step) throws {
    let bench = try Self.bench()
    let first = try bench.load(step.before, route: .endpoint(step.endpoint))
    #expect(first.drift.map(\.wasKnown) == [false] && first.drift.allSatisfy { $0.changes.isEmpty })
    let second = try bench.load(step.after, route: .endpoint(step.endpoint))
    #expect(second.drift.map(\.endpoint) == [step.endpoint])
    #expect(second.drift.flatMap(\.changes).map(\.text) == step.changes)
    let third = try bench.load(step.after, route: .endpoint(step.endpoint))
    #expect(third.drift.flatMap(\.changes).map(\.text) == [])
  }

  @Test func `names and counts are kept, and no value`() throws {
    let bench = try Self.bench()
    try bench.load([#"{"items": [{"id": 4711, "a": "secret"}, {"id": 4712, "a": null}]}"#], route: .endpoint("items"))
    #expect(
      try bench.rows("SELECT value FROM _ingest_state WHERE name = 'drift/items'") == [
        #"{"kinds":{"object":1},"members":{"items":{"kinds":{"array":1},"elements":{"kinds":{"object":2},"members":"#
          + #"{"a":{"kinds":{"null":1,"string":1}},"id":{"kinds":{"integer":2}}}}}}}"#
      ])
  }

  @Test func `each endpoint is compared with itself`() throws {
    let bench = try Self.bench()
    try bench.load([#"{"items": [{"id": 1}]}"#], route: .endpoint("items"))
    let other = try bench.load([#"{"by_name": {"a": {"x": 1}}}"#], route: .endpoint("parts"))
    #expect(other.drift.map(\.endpoint) == ["parts"] && other.drift.map(\.wasKnown) == [false])
    #expect(other.drift.map(\.memberCount) == [2])
  }

  @Test func `pages that are fetched are compared as one`() throws {
    let bench = try Self.bench()
    _ = try bench.run(Script(bodies: [#"{"items": [{"id": 1}]}"#, #"{"items": []}"#]), endpoints: ["items"])
    let run = try bench.run(
      Script(bodies: [#"{"items": [{"id": 2}]}"#, #"{"items": [{"id": "3"}], "more": 1}"#, #"{"items": []}"#]),
      endpoints: ["items"])
    #expect(
      run.drift.flatMap(\.changes).map(\.text) == [
        "'items[*].id' is of another type: string, before integer", "'more' is new: integer, in 1 of 3",
      ])
  }

  @Test func `a run that fails says what has changed, and what is remembered stays`() throws {
    let bench = try Self.bench()
    try bench.load([#"{"items": [{"id": 1}]}"#], route: .endpoint("items"))
    for _ in 0..<2 {
      let failed = try bench.load([#"{"things": [{"id": 1}]}"#], route: .endpoint("items"))
      #expect(failed.failure != nil)
      #expect(
        failed.drift.flatMap(\.changes).map(\.text) == [
          "'items' is gone: 1 of 1 had it, and none of 1 has it", "'things' is new: array, in 1 of 1",
        ])
    }
  }

  @Test func `nothing is looked at, and nothing kept, without the option`() throws {
    let bench = try Bench(Self.yaml)
    let run = try bench.load([#"{"items": [{"id": 1}]}"#], route: .endpoint("items"))
    #expect(run.drift.isEmpty)
    #expect(try bench.rows("SELECT name FROM _ingest_state WHERE name LIKE 'drift/%'") == [])
  }

  @Test func `of a body that is too large the records are looked at`() throws {
    let limited = Self.yaml.replacing(
      "base_url: \"https://api.example.test\"", with: "base_url: \"https://api.example.test\", limits: {record: 1KB}")
    let bench = try Bench(limited)
    bench.watchesDrift = true
    func body(_ member: String) -> String {
      "{\"items\": [\((1...100).map { "{\"id\": \($0), \"\(member)\": true}" }.joined(separator: ", "))]}"
    }
    let first = try bench.load([body("a")], route: .endpoint("items"))
    #expect(first.drift.map(\.isPartial) == [true])
    let second = try bench.load([body("b")], route: .endpoint("items"))
    #expect(
      second.drift.flatMap(\.changes).map(\.text) == [
        "'items[*].a' is gone: 100 of 100 had it, and none of 100 have it",
        "'items[*].b' is new: boolean, in 100 of 100",
      ])
  }
}
