import Mapper
import Records
import Testing

/// Values of key paths within a record: first present, wrong shapes, names as bytes, numbers as text.
struct KeyPathValueTests {
  @Test(arguments: [
    (#"{"a": 1, "b": 2}"#, "1"),
    (#"{"b": 2}"#, "2"),
    (#"{"a": null, "b": 2}"#, "2"),
    (#"{"a": 1, "b": null}"#, "1"),
    (#"{"a": null}"#, "null"),
    (#"{"b": null}"#, "null"),
    (#"{}"#, "-"),
    (#"{"a": {"x": 5}}"#, #"'{"x":5}'"#),
    // The second path steps through an array: passed over while another one is there, invalid else.
    (#"{"d": [{"e": 1}], "b": 2}"#, "2"),
    (#"{"d": [{"e": 1}]}"#, "rejected"),
    (#"{"d": [{"e": 1}], "a": null}"#, "rejected"),
    (#"{"d": []}"#, "-"),
    (#"{"d": "text"}"#, "rejected"),
  ])
  func `a list takes the first that is present, not null, and of a right shape on the way`(
    _ members: String, _ expected: String
  ) throws {
    let trial = try Trial(fields: "id: {const: 1}, v: {from: [a, d.e, b]}")
    let cell = try trial.cell("v", of: members == "{}" ? #"{"other": 1}"# : members)
    #expect(expected == "rejected" ? cell.hasPrefix("rejected: ") : cell == expected)
  }

  @Test(arguments: [
    (
      "items.id", #"{"items": [{"id": 1}]}"#,
      "'items' is an array: write 'items[*].id' for all elements, or 'items[0].id' for one"
    ),
    (
      "a.items.b.id", #"{"a": {"items": [{"b": {"id": 1}}]}}"#,
      "'a.items' is an array: write 'a.items[*].b.id' for all elements, or 'a.items[0].b.id' for one"
    ),
    ("a.id", #"{"a": "text"}"#, "'a' is a text, where 'a.id' expects an object"),
    ("a.b.id", #"{"a": {"b": 5}}"#, "'a.b' is a number, where 'a.b.id' expects an object"),
    ("a.b.id", #"{"a": true}"#, "'a' is a boolean, where 'a.b.id' expects an object"),
    ("a[0].b", #"{"a": {"b": 1}}"#, "'a' is an object, where 'a[0].b' expects an array"),
    ("a[*].b", #"{"a": {"b": 1}}"#, "'a' is an object, where 'a[*].b' expects an array"),
    ("a[*].b", #"{"a": "x"}"#, "'a' is a text, where 'a[*].b' expects an array"),
    ("a[*][*]", #"{"a": [5]}"#, "'a[*]' is a number, where 'a[*][*]' expects an array"),
    ("a[*].b[0]", #"{"a": [{"b": {}}]}"#, "'a[*].b' is an object, where 'a[*].b[0]' expects an array"),
    (
      "a[0].id", #"{"a": [[1]]}"#, "'a[0]' is an array: write 'a[0][*].id' for all elements, or 'a[0][0].id' for one"
    ),
  ])
  func `a wrong shape on the way is named, and for an array the right key path`(
    _ path: String, _ body: String, _ reason: String
  ) throws {
    let trial = try Trial(fields: "id: {const: 1}, v: {from: '\(path)'}")
    #expect(try trial.cell("v", of: body) == "rejected: \(reason)")
  }

  @Test(arguments: [
    ("a[0]", #"{"a": [1, 2]}"#, "1"), ("a[-1]", #"{"a": [1, 2]}"#, "2"), ("a[5]", #"{"a": [1, 2]}"#, "-"),
    ("a[-3]", #"{"a": [1, 2]}"#, "-"), ("a[0]", #"{"a": []}"#, "-"), ("a[0]", #"{"a": [null]}"#, "null"),
    ("a[*].b", #"{"a": [{"b": 1}, {"c": 2}, {"b": null}, {"b": "x"}]}"#, #"'[1,null,null,"x"]'"#),
    ("a[*].b", #"{"a": []}"#, "'[]'"), ("a[*].b", #"{"z": 1}"#, "-"),
    ("a[*].b[*]", #"{"a": [{"b": [1, 2]}, {"b": [3]}]}"#, "'[1,2,3]'"),
    (".", #"{"a": 1}"#, #"'{"a":1}'"#),
    (#"'"x.y".b'"#, #"{"x.y": {"b": 3}, "x": {"y": {"b": 4}}}"#, "3"),
    (#"'"$key"'"#, #"{"$key": 3}"#, "3"), ("_id.$oid", #"{"_id": {"$oid": "f"}}"#, "'f'"),
    (#"'"say \"hi\""'"#, #"{"say \"hi\"": 3}"#, "3"),
  ])
  func `elements, projections and quoted names`(_ path: String, _ body: String, _ expected: String) throws {
    let source = path.hasPrefix("'") ? path : "'\(path)'"
    let trial = try Trial(fields: "id: {const: 1}, v: {from: \(source)}")
    #expect(try trial.cell("v", of: body).filter { $0 != " " } == expected)
  }

  @Test func `names are compared by their bytes after JSON's escapes`() throws {
    let nfc = "caf\u{e9}"
    let nfd = "cafe\u{301}"
    let trial = try Trial(fields: "id: {const: 1}, a: {from: '\(nfc)'}, b: {from: '\(nfd)'}")
    #expect(try trial.map(#"{"\#(nfc)": 1}"#).rows == ["item: id=1 a=1 b=-"])
    #expect(try trial.map(#"{"\#(nfd)": 2}"#).rows == ["item: id=1 a=- b=2"])
    #expect(try trial.map(#"{"\#(nfd)": 2, "\#(nfc)": 1}"#).rows == ["item: id=1 a=1 b=2"])
    #expect(try trial.map(#"{"caf\u00e9": 1, "cafe\u0301": 2}"#).rows == ["item: id=1 a=1 b=2"])
    #expect(try trial.map(#"{"CAF\u00c9": 1, "x": 1}"#).rows == ["item: id=1 a=- b=-"], "letter case counts")
  }

  @Test func `of two equal members the last one counts, at any depth`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: {id: , v: , w: {from: o.w}}, relationships: {tags: [{fields: {tag: .}}]}}",
      at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 9, "v": 1, "id": 1, "v": 2, "o": {"w": 1, "w": 2}, "o": {"w": 3, "\u0077": 4}, "tags": ["a"], "tags": ["b", "c"]}]}"#
    )
    #expect(
      outcome.rows == [
        "item: id=1 v=2 w=4", "item_tags: item_id=1 position=0 tag='b'", "item_tags: item_id=1 position=1 tag='c'",
      ])
    let emptied = try trial.map(#"{"items": [{"id": 1, "o": {"w": 1}, "o": {}, "v": 1, "v": null}]}"#)
    #expect(emptied.rows == ["item: id=1 v=null w=-"], "the last one counts as a whole, be it empty or null")
  }

  @Test(arguments: [
    ("any", "123456789012345678901234567890", "'123456789012345678901234567890'"),
    ("any", "9223372036854775807", "9223372036854775807"), ("any", "9223372036854775808", "'9223372036854775808'"),
    ("text", "1.10", "'1.10'"), ("text", "1E400", "'1E400'"), ("text", "-0", "'-0'"),
    ("integer", "9007199254740993", "9007199254740993"), ("integer", "5.0", "5"), ("integer", "1e3", "1000"),
    ("integer", "9223372036854775808", "rejected"), ("integer", "1.5", "rejected"),
    ("decimal", "0.1000000000000000055511151231257827", "'0.1000000000000000055511151231257827'"),
    ("decimal", "1e3", "'1000'"), ("decimal", "-0.0", "'0.0'"), ("decimal", "1.50", "'1.50'"),
    ("real", "1e400", "rejected"), ("real", "-1e400", "rejected"), ("real", "0.1", "0.1"), ("real", "1e-400", "0.0"),
    ("json", "1.10", "'1.10'"), ("boolean", "1", "1"), ("boolean", "2", "rejected"),
  ])
  func `numbers are exact, or refused`(_ type: String, _ number: String, _ expected: String) throws {
    let trial = try Trial(fields: "id: {const: 1}, v: {type: \(type)}")
    let cell = try trial.cell("v", of: #"{"v": \#(number)}"#)
    #expect(expected == "rejected" ? cell.hasPrefix("rejected: ") : cell == expected)
  }

  @Test func `every type refuses what it cannot take, and the reason holds no value`() throws {
    for type in ["integer", "real", "decimal", "boolean", "date", "time", "timestamp", "uuid", "url", "bytes"] {
      let trial = try Trial(fields: "id: {const: 1}, v: {type: \(type)}")
      let cell = try trial.cell("v", of: #"{"v": "q!quince q"}"#)
      #expect(cell.hasPrefix("rejected: "), "\(type)")
      #expect(!cell.contains("quince"), "\(type)")
      #expect(try trial.cell("v", of: #"{"v": [1]}"#).hasPrefix("rejected: "), "\(type)")
    }
  }

  @Test func `a key without a type that holds numbers and texts is said once`() throws {
    let trial = try Trial(records: "Item: {key: id, fields: [id]}", at: "items: Item")
    let outcome = try trial.map(#"{"items": [{"id": 1}, {"id": "1"}, {"id": 2}, {"id": "x"}]}"#)
    #expect(outcome.rows == ["item: id=1", "item: id='1'", "item: id=2", "item: id='x'"])
    #expect(outcome.warnings.count == 1)
    #expect(try trial.map(#"{"items": [{"id": 1}, {"id": 2}]}"#).warnings.isEmpty)
  }
}
