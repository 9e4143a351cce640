import MappingLanguage
import Pipeline
import Testing
import Values

/// What `--update` writes: it holds then, and the rest of the file is as it was.
struct ExpectationUpdateTests {
  private static let head = """
    # the head
    ingest: 1
    source: {name: demo, base_url: "https://api.example.test"}
    records:
      Item: {table: items, key: id, fields: {id: {type: integer}, text: {type: text}, sum: {type: decimal}, flag: {type: boolean}, data: {type: json}, raw: {type: bytes}}}
    endpoints: {items: {path: /items, records: {items: Item}, paginate: {by: page, param: p, start: 1}}}
    tests:

    """

  struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    /// Members of `items` of the body.
    var body: String
    /// The lines of `expect`.
    var before: String
    var after: String

    var testDescription: String { name }
  }

  private static func yaml(_ example: Example, _ expect: String) -> String {
    head + "  - name: one\n    endpoint: items\n    body: {items: [\(example.body)]}\n    expect:\(expect)\n"
      + "  # the end\n"
  }

  @Test(arguments: [
    Example(
      name: "quotes stay", body: "{id: 1, text: Ada}", before: #" {items: [{id: 1, text: 'x'}]} # why"#,
      after: " {items: [{id: 1, text: 'Ada'}]} # why"),
    Example(
      name: "double quotes stay", body: "{id: 1, text: Ada}", before: #" {items: [{id: 1, text: "x"}]}"#,
      after: #" {items: [{id: 1, text: "Ada"}]}"#),
    Example(
      name: "what would be another thing gets quotes", body: #"{id: 1, text: "yes: no"}"#,
      before: " {items: [{id: 1, text: x}]}", after: #" {items: [{id: 1, text: "yes: no"}]}"#),
    Example(
      name: "a null that is written as nothing", body: "{id: 1, text: Ada}",
      before: "\n      items:\n        - id: 1\n          text:\n          sum: null",
      after: "\n      items:\n        - id: 1\n          text: Ada\n          sum: null"),
    Example(
      name: "numbers and booleans", body: "{id: 1, sum: 1.50, flag: true}",
      before: " {items: [{id: 1, sum: 1.5, flag: false}]}", after: " {items: [{id: 1, sum: 1.50, flag: true}]}"),
    Example(
      name: "a text that looks like a number", body: #"{id: 1, text: "12"}"#, before: " {items: [{id: 1, text: x}]}",
      after: #" {items: [{id: 1, text: "12"}]}"#),
    Example(
      name: "JSON", body: "{id: 1, data: {a: [1, x]}, raw: _-8}", before: " {items: [{id: 1, data: {b: 1}, raw: AA}]}",
      after: #" {items: [{id: 1, data: {"a":[1,"x"]}, raw: /+8=}]}"#),
    Example(
      name: "rows of a block", body: "{id: 1}, {id: 3, text: c}",
      before:
        "\n      items:   # rows\n        - {id: 1} # first\n        # between\n        - {id: 2, text: b} # goes",
      after: "\n      items:   # rows\n        - {id: 1} # first\n        # between\n        - {id: 3}"),
    Example(
      name: "rows with lines of their own", body: "{id: 1}, {id: 3, text: c}",
      before: "\n      items:\n        -   id: 1\n            text: null",
      after: "\n      items:\n        -   id: 1\n            text: null\n        -   id: 3\n            text: c"),
    Example(
      name: "no row is left", body: "",
      before: "\n      items: # none\n        - {id: 1}\n        - {id: 2}\n      rejects: 0",
      after: "\n      items: [] # none\n      rejects: 0"),
    Example(
      name: "rows in brackets", body: "{id: 2}, {id: 5}", before: " {items: [{id: 1}, {id: 2}, {id: 3}, {id: 4}]}",
      after: " {items: [{id: 2}, {id: 5}]}"),
    Example(
      name: "rows in brackets, one a line", body: "{id: 1}, {id: 2}, {id: 3}",
      before: "\n      items: [\n        {id: 1},\n        {id: 2},\n      ]",
      after: "\n      items: [\n        {id: 1},\n        {id: 2},\n        {id: 3},\n      ]"),
    Example(
      name: "the first rows", body: "{id: 2, text: null}", before: " {items: []}",
      after: " {items: [{id: 2, text: null, sum: null, flag: null, data: null, raw: null}]}"),
    Example(
      name: "a count beside rows", body: "{id: 1}, {id: 2}", before: " {items: {count: 7, rows: [{id: 2}, {id: 9}]}}",
      after: " {items: {count: 2, rows: [{id: 2}]}}"),
    Example(
      name: "rows in order", body: "{id: 1}, {id: 2}",
      before: " {items: {ordered: true, rows: [{id: 2}, {id: 1}, {id: 3}]}}",
      after: " {items: {ordered: true, rows: [{id: 1}, {id: 2}]}}"),
    Example(
      name: "rejects", body: "{id: x}", before: " {items: [], rejects: 0}", after: " {items: [], rejects: 1}"),
    Example(
      name: "rejects that are new", body: "{id: x}", before: " { items: [] }", after: " { items: [], rejects: 1 }"),
    Example(
      name: "rejects that are new, in a block", body: "{id: x}", before: "\n      items: [] # none",
      after: "\n      items: [] # none\n      rejects: 1"),
    Example(
      name: "requests", body: "{id: 1}", before: "\n      requests:\n        - 'GET /a'",
      after: "\n      requests:\n        - 'GET /items?p=1'\n        - GET /items?p=2"),
    Example(
      name: "requests in brackets", body: "{id: 1}", before: " {requests: [GET /items?p=1, GET /b, GET /c]}",
      after: " {requests: [GET /items?p=1, GET /items?p=2]}"),
  ])
  func `only what differs is rewritten, as the author writes`(_ example: Example) throws {
    let updated = try TestedYAML(Self.yaml(example, example.before)).updated()
    #expect(updated == Self.yaml(example, example.after))
    #expect(try TestedYAML(updated).outcomes.flatMap(\.failures).map(\.text) == [])
  }

  @Test func `line breaks of Windows stay, and so does a last line without one`() throws {
    let example = Example(
      name: "", body: "{id: 1}, {id: 2}", before: "\n      items:\n        - {id: 1}", after: "")
    let windows = Self.yaml(example, example.before).replacing("\n", with: "\r\n")
    let updated = try TestedYAML(windows).updated()
    #expect(updated == windows.replacing("        - {id: 1}\r\n", with: "        - {id: 1}\r\n        - {id: 2}\r\n"))
    let open = String(Self.yaml(example, example.before).dropLast("\n  # the end\n".count))
    #expect(try TestedYAML(open).updated() == open + "\n        - {id: 2}")
  }

  @Test(arguments: [
    (" {items: [&one {id: 9}]}", "has an anchor"), (" {items: *rows}", "or an alias"), (" *all", "comes from an alias"),
    (" {items: [{id: 1}, # first\n      {id: 9}]}", "a comment stands between"),
  ])
  func `what cannot be rewritten safely is refused`(_ expect: String, _ reason: String) throws {
    let example = Example(name: "", body: "{id: 1}", before: "", after: "")
    let rows = "  - {name: rows, endpoint: items, body: {items: [{id: 9}]}, expect: &all {items: &rows [{id: 9}]}}\n"
    let text = Self.yaml(example, expect).replacing("tests:\n", with: "tests:\n" + rows)
    let error = #expect(throws: UpdateRefusal.self) { try TestedYAML(text).updated() }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func `an error is not rewritten`() throws {
    let text = Self.head + "  - {name: one, endpoint: items, body: {wrong: []}, expect: {items: []}}\n"
    #expect(throws: UpdateRefusal.self) { try TestedYAML(text).updated() }
  }
}
