import Mapper
import Records
import Testing

/// What a relationship's value does to the parent's row, the children, and the parent's list of them.
struct ChildrenCase: Sendable, CustomTestStringConvertible {
  let members: String
  /// The parent's cells behind its key, where the storage has any.
  var parent = ""
  var children: [String] = []
  /// Rows of the link table.
  var links: [String] = []
  var list: String?
  var rejections: [String] = []

  var testDescription: String { members.isEmpty ? "missing" : members }
}

struct RelationshipTests {
  private static let keyed = "K: {key: k, fields: {k: {type: integer}, v: {type: integer}}}"
  private static let keyless = "N: {fields: {k: {type: integer}, v: {type: integer}}}"
  private static let isList = "a list stands where one"

  private func outcome(_ relationship: String, _ child: String, _ members: String) throws -> Outcome {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {r: \(relationship)}}, \(child)", at: "items: Item")
    return try trial.map(#"{"items": [{"id": 1\#(members.isEmpty ? "" : ", " + members)}]}"#)
  }

  private func check(_ outcome: Outcome, _ test: ChildrenCase, children: String, links: String? = nil) {
    #expect(outcome.rows(of: "item").first == (test.parent.isEmpty ? "1" : "1 " + test.parent))
    #expect(outcome.rows(of: children) == test.children)
    if let links { #expect(outcome.rows(of: links) == test.links) }
    #expect(outcome.lists.first == test.list)
    #expect(outcome.rejections.count == test.rejections.count)
    for (came, expected) in zip(outcome.rejections, test.rejections) {
      #expect(came.hasPrefix(expected), "\(came)")
    }
  }

  // MARK: one with a key: its key goes into the parent

  @Test(arguments: [
    ChildrenCase(members: "", parent: "-"),
    ChildrenCase(members: #""r": null"#, parent: "null"),
    ChildrenCase(members: #""r": []"#, parent: "null"),
    ChildrenCase(members: #""r": {}"#, parent: "null"),
    ChildrenCase(members: #""r": """#, parent: "null"),
    ChildrenCase(members: #""r": " \u0020\t\u00a0""#, parent: "null"),
    ChildrenCase(members: #""r": {"k": 5, "v": 6}"#, parent: "5", children: ["5 6"]),
    ChildrenCase(members: #""r": {"k": "5"}"#, parent: "5", children: ["5 -"]),
    ChildrenCase(members: #""r": {"k": 5, "v": "x"}"#, parent: "5~", rejections: ["K /items/0/r v: "]),
    ChildrenCase(members: #""r": {"k": "x"}"#, parent: "null~", rejections: ["K /items/0/r k: "]),
    ChildrenCase(members: #""r": {"v": 5}"#, parent: "null~", rejections: ["K /items/0/r k: the key is missing"]),
    ChildrenCase(members: #""r": 5"#, parent: "null~", rejections: ["K /items/0/r k: the value is a number"]),
    ChildrenCase(members: #""r": [{"k": 5}]"#, parent: "-", rejections: ["K /items/0/r -: \(isList) 'K' is declared"]),
    ChildrenCase(members: #""r": [null]"#, parent: "-", rejections: ["K /items/0/r -: \(isList)"]),
  ])
  func `one child with a key`(_ test: ChildrenCase) throws {
    check(try outcome("K", Self.keyed, test.members), test, children: "k")
  }

  // MARK: one without a key: a row of a table of its own

  @Test(arguments: [
    ChildrenCase(members: ""),
    ChildrenCase(members: #""r": null"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": []"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": {}"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": " ""#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": {"k": 5}"#, children: ["1 5 -"], list: "item_r of 1: 0..<1"),
    ChildrenCase(members: #""r": {"z": 5}"#, children: ["1 - -"], list: "item_r of 1: 0..<1"),
    ChildrenCase(
      members: #""r": {"k": "x"}"#, children: ["(shield) 1 - -"], list: "item_r of 1: 0..<1",
      rejections: ["N /items/0/r k: "]),
    ChildrenCase(members: #""r": [{"k": 5}]"#, rejections: ["N /items/0/r -: \(isList)"]),
  ])
  func `one child without a key`(_ test: ChildrenCase) throws {
    check(try outcome("N", Self.keyless, test.members), test, children: "item_r")
  }

  // MARK: many without a key: numbered rows

  @Test(arguments: [
    ChildrenCase(members: ""),
    ChildrenCase(members: #""r": null"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": []"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": " ""#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": {}"#, children: ["1 0 null null"], list: "item_r of 1: 0..<1"),
    ChildrenCase(members: #""r": {"k": 5}"#, children: ["1 0 5 null"], list: "item_r of 1: 0..<1"),
    ChildrenCase(
      members: #""r": [{"k": 5}, {"v": 6}]"#, children: ["1 0 5 null", "1 1 null 6"], list: "item_r of 1: 0..<2"),
    ChildrenCase(
      members: #""r": [null, {"k": 5}, null, {"k": 6}]"#, children: ["1 1 5 null", "1 3 6 null"],
      list: "item_r of 1: 0..<2"),
    ChildrenCase(members: #""r": [null]"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(
      members: #""r": [{"k": 4}, {"k": "x"}, {"k": 6}]"#,
      children: ["1 0 4 null", "(shield) 1 1 null null", "1 2 6 null"], list: "item_r of 1: 0..<3",
      rejections: ["N /items/0/r/1 k: "]),
    ChildrenCase(
      members: #""r": ["text"]"#, children: ["(shield) 1 0 null null"], list: "item_r of 1: 0..<1",
      rejections: ["N /items/0/r/0 k: the value is a text"]),
  ])
  func `many children without a key`(_ test: ChildrenCase) throws {
    check(try outcome("[N]", Self.keyless, test.members), test, children: "item_r")
  }

  // MARK: many with a key: links

  @Test(arguments: [
    ChildrenCase(members: ""),
    ChildrenCase(members: #""r": null"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": []"#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": " ""#, list: "item_r of 1: 0..<0"),
    ChildrenCase(members: #""r": {"k": 5}"#, children: ["5 -"], links: ["1 5 0"], list: "item_r of 1: 0..<1"),
    ChildrenCase(
      members: #""r": [null, {"k": 5, "v": 1}, null, {"k": 6}]"#, children: ["5 1", "6 -"], links: ["1 5 1", "1 6 3"],
      list: "item_r of 1: 0..<2"),
    ChildrenCase(
      members: #""r": [{"k": 5}, {"k": 5, "v": 1}]"#, children: ["5 -", "5 1"], links: ["1 5 0", "1 5 1"],
      list: "item_r of 1: 0..<2"),
    ChildrenCase(
      members: #""r": [{"k": 5}, {"k": 6, "v": "x"}, {"k": 7}]"#, children: ["5 -", "7 -"],
      links: ["1 5 0", "(shield) 1 6 1", "1 7 2"], list: "item_r of 1: 0..<3", rejections: ["K /items/0/r/1 v: "]),
    ChildrenCase(
      members: #""r": [{"k": 5}, {"k": "x"}, {"v": 1}, 7]"#, children: ["5 -"],
      links: ["1 5 0", "(shield) 1 null 1", "(shield) 1 null 2", "(shield) 1 null 3"], list: "item_r of 1: 0..<4",
      rejections: ["K /items/0/r/1 k: ", "K /items/0/r/2 k: the key is missing", "K /items/0/r/3 k: the value is"]),
    ChildrenCase(
      members: #""r": {}"#, links: ["(shield) 1 null 0"], list: "item_r of 1: 0..<1",
      rejections: ["K /items/0/r k: the key is missing"]),
  ])
  func `many children with a key`(_ test: ChildrenCase) throws {
    check(try outcome("[K]", Self.keyed, test.members), test, children: "k", links: "item_r")
  }

  // MARK: ways to the children

  @Test(arguments: [
    (
      "{record: [N], from: 'g[*].w'}", #""g": [{"w": [{"k": 1}, {"k": 2}]}, {}, {"w": null}, {"w": [{"k": 3}]}]"#,
      "0,1 1,2 2,3"
    ),
    ("{record: [N], from: 'g[*].w'}", #""g": []"#, ""),
    ("{record: [N], from: 'g[*].w'}", #""h": []"#, "none"),
    ("{record: [N], from: 'g[*].w'}", #""g": null"#, ""),
    ("{record: [N], from: g.w}", #""g": {"w": [{"k": 1}]}"#, "0,1"),
    ("{record: [N], from: g.w}", #""g": {}"#, "none"),
    ("{record: [N], from: g.w}", #""g": null"#, "none"),
    ("{record: [N], from: g.w}", #""g": []"#, "none"),
    ("{record: [N], from: 'g.*'}", #""g": {"a": {"k": 1}, "b": null, "c": {"k": 2}}"#, "0,1 2,2"),
    ("{record: [N], from: 'g.*'}", #""g": {}"#, ""),
    ("{record: [N], from: 'g[*]'}", #""g": [{"k": 1}, null, {"k": 2}]"#, "0,1 2,2"),
    ("{record: [N], from: 'g[1]'}", #""g": [{"k": 1}, {"k": 2}]"#, "0,2"),
    ("{record: [N], from: 'g[0].w'}", #""g": [{"w": [{"k": 1}, null, {"k": 2}]}]"#, "0,1 2,2"),
    ("{record: [N], from: 'g[*][*]'}", #""g": [[{"k": 1}], [{"k": 2}, {"k": 3}]]"#, "0,1 1,2 2,3"),
  ])
  func `positions count what the key path yields`(_ relationship: String, _ members: String, _ expected: String) throws
  {
    let outcome = try outcome(relationship, Self.keyless, members)
    let rows = outcome.rows(of: "item_r").map { $0.split(separator: " ")[1...2].joined(separator: ",") }
    #expect(outcome.rejections.isEmpty)
    #expect((outcome.lists.isEmpty ? "none" : rows.joined(separator: " ")) == expected)
  }

  @Test(arguments: [
    (
      "{record: [N], from: 'g[*].w'}", #""g": [{"w": [{"k": 1}]}, 5]"#, "/items/0/g/1",
      "'g[*]' is a number, where 'g[*].w' expects an object"
    ),
    ("{record: [N], from: g.w}", #""g": "text""#, "/items/0/g", "'g' is a text, where 'g.w' expects an object"),
    (
      "{record: [N], from: g.w}", #""g": [{"w": []}]"#, "/items/0/g",
      "'g' is an array: write 'g[*].w' for all elements, or 'g[0].w' for one"
    ),
    (
      "{record: [N], from: g.h.w}", #""g": {"h": [1]}"#, "/items/0/g/h",
      "'g.h' is an array: write 'g.h[*].w' for all elements, or 'g.h[0].w' for one"
    ),
    (
      "{record: [N], from: 'g[*].h.w'}", #""g": [{"h": [1]}]"#, "/items/0/g/0/h",
      "'g[*].h' is an array: write 'g[*].h[*].w' for all elements, or 'g[*].h[0].w' for one"
    ),
    (
      "{record: [N], from: 'g[0].w'}", #""g": {"w": []}"#, "/items/0/g",
      "'g' is an object, where 'g[0].w' expects an array"
    ),
    (
      "{record: N, from: 'g[*]'}", #""g": [{"k": 1}, {"k": 2}]"#, "/items/0/g",
      "several values stand where one is declared"
    ),
  ])
  func `a wrong shape on the way is one rejected element, and the list stays as it was`(
    _ relationship: String, _ members: String, _ pointer: String, _ reason: String
  ) throws {
    let outcome = try outcome(relationship, Self.keyless, members)
    #expect(outcome.batch.rejections.map(\.pointer) == [pointer])
    #expect(outcome.batch.rejections.map(\.reason) == [reason])
    #expect(outcome.lists.isEmpty)
    #expect(outcome.rows == ["item: id=1"])
    #expect(outcome.counted == ["Item 1/0", "N 1/1"])
  }

  @Test func `a child from the same object is there when one of its values is`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {spot: {record: Spot, from: .}}}, "
        + "Spot: {fields: {lat: , lon: {from: at.lon}}}", at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "lat": 5}, {"id": 2}, {"id": 3, "at": {"lon": 6}}, {"id": 4, "at": {}}]}"#)
    #expect(outcome.rows(of: "item_spot") == ["1 5 -", "3 - 6"])
    #expect(outcome.lists == ["item_spot of 1: 0..<1", "item_spot of 3: 1..<2"])
  }

  @Test func `value arrays are children whose field is the value itself`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {tags: [{fields: {tag: {from: ., type: text}}}]}}",
      at: "items: Item")
    let outcome = try trial.map(#"{"items": [{"id": 1, "tags": ["a", null, 5, true, ""]}, {"id": 2, "tags": "solo"}]}"#)
    #expect(outcome.rows(of: "item_tags") == ["1 0 'a'", "1 2 '5'", "1 3 'true'", "1 4 ''", "2 0 'solo'"])
    #expect(outcome.counted == ["Item 2/0", "Item.tags 5/0"])
  }

  // MARK: nesting

  @Test func `lists stand in document order, a parent's before those of what is nested in it`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {subs: {record: [Item], from: subs}, tags: [Tag]}}, "
        + "Tag: {fields: {t: .}}", at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "subs": [{"id": 2, "subs": [{"id": 3, "subs": [], "tags": ["c"]}], "tags": ["b"]}], "tags": ["a"]}]}"#
    )
    #expect(outcome.rows(of: "item") == ["1", "2", "3"])
    #expect(
      outcome.lists == [
        "item_subs of 1: 1..<2", "item_subs of 2: 0..<1", "item_subs of 3: 0..<0",
        "item_tags of 3: 0..<1", "item_tags of 2: 1..<2", "item_tags of 1: 2..<3",
      ])
    #expect(outcome.rows(of: "item_subs") == ["2 3 0", "1 2 0"])
  }

  @Test func `the children of a rejected parent are not received, those of a rejected child's sibling are`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: {id: {type: integer}}, relationships: {subs: [Sub]}}, "
        + "Sub: {fields: {n: {type: integer}}, relationships: {notes: [Note], mark: K}}, Note: {fields: {t: {type: "
        + "integer}}}, " + Self.keyed, at: "items: Item")
    let outcome = try trial.map(
      """
      {"items": [{"id": "x", "subs": [{"n": 1}]},
        {"id": 2, "subs": [{"n": "x", "notes": [{"t": 1}], "mark": {"k": 1}}, {"n": 2, "notes": [{"t": "y"}, {"t": 2}]}]}]}
      """)
    #expect(outcome.counted == ["Item 2/1", "Sub 2/1", "Note 2/1"])
    #expect(
      outcome.rejections.map { $0.split(separator: ":")[0] } == [
        "Item /items/0 id", "Sub /items/1/subs/0 n", "Note /items/1/subs/1/notes/0 t",
      ])
    #expect(outcome.rows(of: "item_subs") == ["(shield) 2 0 null null", "2 1 2 null"])
    #expect(outcome.rows(of: "item_subs_notes") == ["(shield) 2 1 0 null", "2 1 1 2"])
  }

  @Test func `in a row that is written whole a missing relationship is emptied`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {subs: [Sub]}}, "
        + "Sub: {fields: [n], relationships: {notes: [Note], mark: K}}, Note: {fields: [t]}, " + Self.keyed,
      at: "items: Item")
    let outcome = try trial.map(#"{"items": [{"id": 1, "subs": [{"n": 1}]}]}"#)
    #expect(outcome.rows(of: "item_subs") == ["1 0 1 null"])
    #expect(outcome.lists == ["item_subs of 1: 0..<1", "item_subs_notes of 1,0: 0..<0"])
  }

  @Test func `composite keys go into children and links whole`() throws {
    let trial = try Trial(
      records: "Issue: {key: [repo, number], fields: [repo, number], relationships: {labels: [{fields: {l: .}}], "
        + "owner: User, seen: [User]}}, User: {key: [org, login], fields: [org, login]}", at: "items: Issue")
    let outcome = try trial.map(
      #"{"items": [{"repo": "r", "number": 1, "labels": ["x"], "owner": {"org": "o", "login": "l"}, "seen": [{"org": "p", "login": "m"}]}]}"#
    )
    #expect(outcome.rows(of: "issue") == ["'r' 1 'o' 'l'"])
    #expect(outcome.rows(of: "issue_labels") == ["'r' 1 0 'x'"])
    #expect(outcome.rows(of: "issue_seen") == ["'r' 1 'p' 'm' 0"])
  }

  @Test func `rows of a list lie together, whatever lists of its table are nested in its elements`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {notes: [Note], one: One}}, "
        + "Note: {fields: [t], relationships: {about: Item}}, One: {fields: [u], relationships: {about: Item}}",
      at: "items: Item")
    let outcome = try trial.map(
      """
      {"items": [{"id": 1, "notes": [{"t": "a", "about": {"id": 2, "notes": [
          {"t": "b", "about": {"id": 3, "notes": [{"t": "c"}, null, {"t": "d"}]}}, [1], {"t": "e"}]}}, {"t": "f"}],
        "one": {"u": "x", "about": {"id": 4, "one": {"u": "y", "about": {"id": 5, "one": null}}}}}]}
      """)
    #expect(
      outcome.rows(of: "item_notes") == [
        "3 0 'c' null", "3 2 'd' null", "2 0 'b' 3", "(shield) 2 1 null null", "2 2 'e' null", "1 0 'a' 2",
        "1 1 'f' null",
      ])
    #expect(
      outcome.lists == [
        "item_notes of 1: 5..<7", "item_notes of 2: 2..<5", "item_notes of 3: 0..<2", "item_one of 1: 1..<2",
        "item_one of 4: 0..<1", "item_one of 5: 2..<2",
      ])
    #expect(outcome.rows(of: "item_one") == ["4 'y' 5", "1 'x' 4"])
    #expect(outcome.counted == ["Item 5/0", "Note 7/1", "One 2/0"])
  }
}
