import Mapper
import Records
import Testing

/// A field's rules against a member that is missing or null.
struct PresenceCase: Sendable, CustomTestStringConvertible {
  let rules: String
  let missing: String
  let null: String

  init(_ rules: String, missing: String, null: String) {
    self.rules = rules
    self.missing = missing
    self.null = null
  }

  var testDescription: String { rules.isEmpty ? "no rules" : rules }
}

struct PresenceTests {
  private static let cases = [
    PresenceCase("", missing: "-", null: "null"),
    PresenceCase("on_missing: keep, on_null: 'null'", missing: "-", null: "null"),
    PresenceCase("on_missing: null", missing: "null", null: "null"),
    PresenceCase("on_missing: error", missing: "rejected: it is missing, and 'on_missing' is 'error'", null: "null"),
    PresenceCase("on_null: keep", missing: "-", null: "-"),
    PresenceCase("on_null: error", missing: "-", null: "rejected: it is null, and 'on_null' is 'error'"),
    PresenceCase("default: 7", missing: "7?", null: "null"),
    PresenceCase("default: 7, on_missing: default", missing: "7", null: "null"),
    PresenceCase("default: 7, on_missing: null", missing: "null", null: "null"),
    PresenceCase(
      "default: 7, on_missing: error", missing: "rejected: it is missing, and 'on_missing' is 'error'", null: "null"),
    PresenceCase("default: 7, on_null: default", missing: "7?", null: "7"),
    PresenceCase("default: 7, on_null: keep", missing: "7?", null: "-"),
    PresenceCase("default: 7, on_missing: default, on_null: default", missing: "7", null: "7"),
    PresenceCase(
      "required: true", missing: "rejected: it is required, and missing", null: "rejected: it is required, and null"),
    PresenceCase(
      "required: true, on_null: keep", missing: "rejected: it is required, and missing",
      null: "rejected: it is required, and null"),
    PresenceCase(
      "required: true, on_missing: null", missing: "rejected: it is missing",
      null: "rejected: it is required, and null"),
    PresenceCase("required: true, default: 7", missing: "7?", null: "rejected: it is required, and null"),
    PresenceCase("required: true, default: 7, on_null: default", missing: "7?", null: "7"),
  ]

  @Test(arguments: cases)
  func `missing, null and a value each follow their rule`(_ test: PresenceCase) throws {
    let trial = try Trial(fields: "id: {type: integer}, v: {type: integer, \(test.rules)}")
    #expect(try trial.cell("v", of: #"{"id": 1}"#) == test.missing)
    #expect(try trial.cell("v", of: #"{"id": 1, "v": null}"#) == test.null)
    #expect(try trial.cell("v", of: #"{"id": 1, "v": "  "}"#) == test.null, "blank text is null")
    #expect(try trial.cell("v", of: #"{"id": 1, "v": 5}"#) == "5")
    #expect(try trial.cell("v", of: #"{"id": 1, "v": "5"}"#) == "5")
  }

  /// Missing on the way is missing; a null on the way, too, since nothing stands at the place itself.
  @Test(arguments: cases.filter { !$0.rules.isEmpty })
  func `what is missing on the way is missing`(_ test: PresenceCase) throws {
    let trial = try Trial(fields: "id: {type: integer}, v: {from: a.b.c, type: integer, \(test.rules)}")
    for body in [
      #"{"id": 1, "a": {}}"#, #"{"id": 1, "a": {"b": null}}"#, #"{"id": 1, "a": null}"#, #"{"id":1,"a":[]}"#,
    ] {
      #expect(try trial.cell("v", of: body) == test.missing, "\(body)")
    }
    #expect(try trial.cell("v", of: #"{"id": 1, "a": {"b": {"c": null}}}"#) == test.null)
    #expect(try trial.cell("v", of: #"{"id": 1, "a": {"b": {"c": 5}}}"#) == "5")
  }

  @Test(arguments: [
    PresenceCase("", missing: "rejected: the key is missing", null: "rejected: the key is null"),
    PresenceCase("default: 7", missing: "7", null: "rejected: the key is null"),
    PresenceCase("default: 7, on_null: default", missing: "7", null: "7"),
    PresenceCase(
      "on_missing: null, on_null: keep", missing: "rejected: it is missing", null: "rejected: the key is null"),
  ])
  func `a key is never missing or null`(_ test: PresenceCase) throws {
    let trial = try Trial(fields: "id: {type: integer, \(test.rules)}, v: ")
    #expect(try trial.cell("id", of: #"{"v": 1}"#) == test.missing)
    #expect(try trial.cell("id", of: #"{"v": 1, "id": null}"#) == test.null)
    #expect(try trial.cell("id", of: #"{"v": 1, "id": 5}"#) == "5")
  }

  @Test func `one null component of a composite key is enough`() throws {
    let trial = try Trial(fields: "a: , b: ", record: "key: [a, b]")
    #expect(try trial.map(#"{"a": 1}"#).rejections == ["Item  b: the key is missing"])
    #expect(try trial.map(#"{"a": null, "b": 2}"#).rejections == ["Item  a: the key is null"])
    #expect(try trial.map(#"{"a": 1, "b": 2}"#).rows == ["item: a=1 b=2"])
  }

  @Test(arguments: [
    ("", "rejected"), ("on_invalid: reject", "rejected"), ("on_invalid: 'null'", "null"),
    ("on_invalid: keep_text", "'12x'"), ("on_invalid: 'null', required: true", "rejected"),
    ("on_invalid: 'null', default: 3", "null"),
  ])
  func `an invalid value follows its rule`(_ rules: String, _ expected: String) throws {
    let trial = try Trial(fields: "id: {type: integer}, v: {type: integer, \(rules)}")
    let cell = try trial.cell("v", of: #"{"id": 1, "v": "12x"}"#)
    #expect(expected == "rejected" ? cell.hasPrefix("rejected: ") : cell == expected)
  }

  @Test(arguments: [(#""x""#, "'x'"), ("true", "'true'"), ("1.50", "'1.50'"), (#"{"a": 1}"#, #"'{"a":1}'"#)])
  func `keep_text keeps what came`(_ value: String, _ expected: String) throws {
    let trial = try Trial(fields: "id: {type: integer}, v: {type: uuid, on_invalid: keep_text}")
    let cell = try trial.cell("v", of: #"{"id": 1, "v": \#(value)}"#)
    #expect(cell.filter { $0 != " " } == expected.filter { $0 != " " })
  }

  @Test func `on_invalid fail ends the body and names the place`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {tags: [Tag]}}, Tag: {fields: {n: {type: integer, "
        + "on_invalid: fail}}}", at: "items: Item")
    let failure = #expect(throws: MappingFailure.self) {
      try trial.map(#"{"items": [{"id": 1, "tags": [{"n": 1}, {"n": "quince"}]}]}"#)
    }
    #expect(failure?.pointer == "/items/0/tags/1")
    #expect(failure?.record == "Tag" && failure?.field == "n")
    #expect(failure?.reason.contains("quince") == false, "the value is not told")
  }

  @Test func `in a child of a list, which is written whole, what is missing is null or the default`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {tags: [Tag], one: One}}, "
        + "Tag: {fields: {a: , b: {default: x}}}, One: {fields: {c: , d: {default: y}}}", at: ".: Item")
    let outcome = try trial.map(#"{"id": 1, "tags": [{"z": 1}], "one": {"z": 1}}"#)
    #expect(outcome.rows(of: "item_tags") == ["1 0 null 'x'"])
    // A single child is updated like any row.
    #expect(outcome.rows(of: "item_one") == ["1 - 'y'?"])
  }
}
