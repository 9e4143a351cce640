import MappingLanguage
import Pipeline
import Testing

/// Tests in another way than the ordinary one: what must come out the same, and what tells that it does not.
struct TestModesTests {
  private static func yaml(_ record: String, _ paginate: String = "") -> String {
    """
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test"}
    records: {Item: {table: items, \(record)}}
    endpoints: {items: {path: /items, records: {items: Item}\(paginate)}}
    tests:
      - {name: one, endpoint: items, response: [a.json, b.json], expect: {items: {count: 2, rows: []}}}
    """
  }

  private static let keyed = "key: id, fields: {id: {type: integer}, text: {type: text}, all: {from: ., type: json}}"
  private static let files = [
    "a.json": #"{"items": [{"id": 1, "text": "a", "b": {"x": 1, "y": [2, {"p": 1, "q": 2}]}}]}"#,
    "b.json": #"{"items": [{"id": 3, "text": "b", "id": 4, "id": 2}]}"#,
  ]
  private static let modes: [TestMode] = [.shuffle(seed: 1), .duplicatePages]

  private func outcome(
    _ yaml: String, _ mode: TestMode, files: [String: String] = TestModesTests.files
  ) throws -> ModeOutcome {
    let tested = try TestedYAML(yaml, files: files)
    let test = try #require(tested.mapping.tests.first)
    return tested.runner.outcome(of: test, number: 0, under: mode)
  }

  private func changes(_ outcome: ModeOutcome) -> [String] {
    guard case .differs(let changes) = outcome else { return ["\(outcome)"] }
    return changes.map { "\($0.table): \($0.reasons.joined(separator: "; "))" }
  }

  @Test(arguments: TestModesTests.modes)
  func `rows with keys come out the same`(_ mode: TestMode) throws {
    #expect(changes(try outcome(Self.yaml(Self.keyed), mode)) == ["same"])
  }

  @Test func `pages and members do come in another order`() throws {
    let files = ["a.json": #"{"items": [{"id": 1, "text": "a"}]}"#, "b.json": #"{"items": [{"id": 1, "text": "b"}]}"#]
    let record = "key: id, fields: {id: {type: integer}, text: {type: text}}"
    let last = try outcome(Self.yaml(record), .shuffle(seed: 5), files: files)
    #expect(
      changes(last) == [
        "items: rows with the same key come with other values: the last one stays, unless 'modified' says which is newer"
      ])
    let dictionary = """
      ingest: 1
      source: {name: demo}
      records: {Item: {table: items, key: id, fields: {id: $key, number: $index}}}
      endpoints: {items: {path: /items, fetch: false, records: {items.*: Item}}}
      tests: [{name: one, endpoint: items, response: a.json, expect: {items: {count: 9, rows: []}}}]
      """
    let members = (1...9).map { "\"k\($0)\": {}" }.joined(separator: ", ")
    let index = try outcome(dictionary, .shuffle(seed: 5), files: ["a.json": "{\"items\": {\(members)}}"])
    #expect(changes(index) == ["items: it reads $index, which counts in the order of the body"])
  }

  @Test func `a seed means the same order each time`() throws {
    let yaml = Self.yaml("write: append, fields: {text: {type: text}}")
    for seed in UInt64(0)..<4 {
      #expect("\(try outcome(yaml, .shuffle(seed: seed)))" == "\(try outcome(yaml, .shuffle(seed: seed)))")
    }
  }

  @Test(arguments: TestModesTests.modes)
  func `rows that are appended are told from others`(_ mode: TestMode) throws {
    #expect(
      changes(try outcome(Self.yaml("write: append, fields: {text: {type: text}}"), mode)) == [
        "items: its rows have no key of their own: each page adds rows, numbered in the order in which they come"
      ])
  }

  @Test(arguments: [
    ("write: insert", "items: the first row of a key stays (write: insert)"),
    ("write: history", "items: each change is a version of its own (write: history)"),
    ("delete_when: {gone: true}", "items: a row that is deleted comes back where its record comes later (delete"),
  ])
  func `the reason is looked for in the mapping`(_ rule: String, _ reason: String) throws {
    let yaml = Self.yaml("key: id, \(rule), fields: {id: {type: integer}, text: {type: text}}")
    let files = [
      "a.json": #"{"items": [{"id": 1, "text": "a"}]}"#,
      "b.json": #"{"items": [{"id": 1, "text": "b", "gone": true}]}"#,
    ]
    let found = changes(try outcome(yaml, .shuffle(seed: 2), files: files))
    #expect(found.first?.hasPrefix(reason) == true, "\(found)")
  }

  @Test func `what tells the time is no difference`() throws {
    let record = "key: id, track: true, fields: {id: {type: integer}, at: $fetched_at, run: $run.id}"
    for mode in Self.modes { #expect(changes(try outcome(Self.yaml(record), mode)) == ["same"]) }
  }

  private static let pages = ", paginate: {by: page, param: p, start: 1}"
  private static let cursor = ", paginate: {by: cursor, param: c, from: next}"

  @Test(arguments: [
    (TestModesTests.pages, 1), (TestModesTests.pages, 2), (TestModesTests.cursor, 1), (TestModesTests.cursor, 2),
  ])
  func `a walk that is cut and continued comes to the same`(_ paginate: String, _ pages: Int) throws {
    let files = [
      "a.json": #"{"items": [{"id": 1}], "next": "x"}"#, "b.json": #"{"items": [{"id": 2}], "next": "y"}"#,
    ]
    #expect(changes(try outcome(Self.yaml(Self.keyed, paginate), .cut(after: pages), files: files)) == ["same"])
  }

  @Test func `a page whose rows are appended is not asked for again`() throws {
    let record = "write: append, fields: {text: {type: text}}"
    #expect(changes(try outcome(Self.yaml(record, Self.pages), .cut(after: 1))) == ["same"])
  }

  @Test func `a walk that replaces starts anew, and comes to the same`() throws {
    let record = "key: id, write: replace, fields: {id: {type: integer}}"
    #expect(changes(try outcome(Self.yaml(record, Self.pages), .cut(after: 1))) == ["same"])
  }

  @Test func `a mode says why it says nothing`() throws {
    func reason(_ yaml: String, _ mode: TestMode) throws -> String {
      guard case .passedOver(let reason) = try outcome(yaml, mode) else { return "" }
      return reason
    }
    #expect(try reason(Self.yaml(Self.keyed), .cut(after: 1)) == "none of its walks has more than 1 page")
    #expect(try reason(Self.yaml(Self.keyed, Self.pages), .cut(after: 3)) == "none of its walks has more than 3 pages")
    let failing = Self.yaml(Self.keyed).replacing("expect: {items: {count: 2, rows: []}}", with: "error: {}")
    for mode in Self.modes + [.cut(after: 1)] { #expect(try reason(failing, mode) == "it expects an error") }
  }
}
