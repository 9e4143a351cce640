import JSONReading
import Mapper
import Records
import PlanCompiler
import Testing
import Values

/// `$…` values: of the record's surroundings, of the request, of the response.
struct ContextTests {
  /// The first endpoint's place, fields with `$…` sources, a body, the cells of `item`.
  private struct Case {
    var place: String
    var source: String
    var body: String
    var cells: [String]
  }

  private static let cases = [
    // $key and $index, of dictionaries and lists.
    Case(place: "'d.*'", source: "$key", body: #"{"d": {"x": {}, "y": {}}}"#, cells: ["'x'", "'y'"]),
    Case(place: "'d.*[*]'", source: "$key", body: #"{"d": {"x": [{}, {}], "y": [{}]}}"#, cells: ["'x'", "'x'", "'y'"]),
    Case(
      place: "'t.*.u.*'", source: "$parent.$key", body: #"{"t": {"a": {"u": {"p": {}}}, "b": {"u": {"q": {}}}}}"#,
      cells: ["'a'", "'b'"]),
    Case(place: "'t.*.u.*'", source: "$key", body: #"{"t": {"a": {"u": {"p": {}, "q": {}}}}}"#, cells: ["'p'", "'q'"]),
    Case(
      place: "'d.*'", source: "$key", body: #"{"d": {"caf\u00e9": {}, "cafe\u0301": {}}}"#,
      cells: ["'caf\u{e9}'", "'cafe\u{301}'"]),
    Case(place: "items", source: "$key", body: #"{"items": [{}]}"#, cells: ["-"]),
    Case(place: "items", source: "$index", body: #"{"items": [{}, null, {}]}"#, cells: ["0", "2"]),
    Case(
      place: "'g[*].items'", source: "$parent.$index", body: #"{"g": [{"items": [{}, {}]}, {"items": [{}]}]}"#,
      cells: ["0", "0", "1"]),
    // $parent of a top-level record: the object that holds its place.
    Case(place: "items", source: "$parent.page", body: #"{"page": 3, "items": [{}]}"#, cells: ["3"]),
    Case(place: "items", source: "$parent.page", body: #"{"items": [{}, {}], "page": 3}"#, cells: ["3", "3"]),
    Case(
      place: "a.items", source: "$parent.page", body: #"{"page": 3, "a": {"page": 4, "items": [{}]}}"#, cells: ["4"]),
    Case(
      place: "a.items", source: "$parent.$parent.page", body: #"{"a": {"page": 4, "items": [{}]}, "page": 3}"#,
      cells: ["3"]),
    Case(
      place: "'g[*].items'", source: "$parent.n",
      body: #"{"g": [{"items": [{}, {}], "n": 1}, {"n": 2, "items": [{}]}, {"items": [{}]}]}"#,
      cells: ["1", "1", "2", "-"]),
    Case(
      place: "'g.*.items'", source: "$parent.n",
      body: #"{"g": {"a": {"n": 1, "items": [{}]}, "b": {"items": [{}], "n": 2}}}"#, cells: ["1", "2"]),
    Case(
      place: "'g[*].items'", source: "$parent.$parent.n", body: #"{"g": [{"n": 1, "items": [{}]}], "n": 5}"#,
      cells: ["5"]),
    Case(place: "items", source: "$parent.$parent.n", body: #"{"items": [{}], "n": 5}"#, cells: ["-"]),
    // $root, also after the list.
    Case(
      place: "items", source: "$root.meta.total", body: #"{"items": [{}, {}], "meta": {"total": 7}}"#,
      cells: ["7", "7"]),
    Case(
      place: "items", source: "$root.meta.total", body: #"{"meta": {"total": null}, "items": [{}]}"#, cells: ["null"]),
    Case(place: "items", source: "$root.meta.total", body: #"{"items": [{}]}"#, cells: ["-"]),
    Case(place: "items", source: "'$root.m[1].t'", body: #"{"items": [{}], "m": [{"t": 1}, {"t": 2}]}"#, cells: ["2"]),
    Case(
      place: "items", source: "'$root.m[*].t'", body: #"{"items": [{}], "m": [{"t": 1}, {"t": 2}]}"#, cells: ["'[1,2]'"]
    ),
    Case(
      place: "items", source: "$root.m", body: #"{"items": [{}], "m": {"a": [1, 2.50]}}"#, cells: [#"'{"a":[1,2.50]}'"#]
    ),
    // The request and the response.
    Case(place: "items", source: "$route.owner", body: #"{"items": [{}]}"#, cells: ["'ada'"]),
    Case(place: "items", source: "$query.page", body: #"{"items": [{}]}"#, cells: ["'2'"]),
    Case(place: "items", source: "$query.none", body: #"{"items": [{}]}"#, cells: ["-"]),
    Case(
      place: "items", source: "$request.url", body: #"{"items": [{}]}"#,
      cells: ["'https://api.example.test/ada?page=2'"]),
    Case(place: "items", source: "$response.status", body: #"{"items": [{}]}"#, cells: ["203"]),
    Case(place: "items", source: "$response.headers.X-Total", body: #"{"items": [{}]}"#, cells: ["'9'"]),
    Case(place: "items", source: "$fetched_at", body: #"{"items": [{}]}"#, cells: ["'2015-07-04T10:00:00Z'"]),
    Case(place: "items", source: "$run.id", body: #"{"items": [{}]}"#, cells: ["7"]),
    Case(place: "items", source: "$var.word", body: #"{"items": [{}]}"#, cells: ["'hello'"]),
    Case(place: "items", source: "$var.count", body: #"{"items": [{}]}"#, cells: ["5"]),
    Case(place: "items", source: "$var.nothing", body: #"{"items": [{}]}"#, cells: ["null"]),
    Case(
      place: "items", source: "[$var.nothing, $query.none, $route.owner]", body: #"{"items": [{}]}"#, cells: ["'ada'"]),
  ]

  @Test(arguments: cases.indices)
  func `a context value is that of the record's surroundings`(_ index: Int) throws {
    let test = Self.cases[index]
    var trial = try Trial(
      records: "Item: {table: item, write: append, fields: {v: {from: \(test.source)}}}", at: "\(test.place): Item",
      path: "/:owner",
      variables: [("word", .text("hello")), ("count", .number("5")), ("nothing", .null)])
    trial.parameters = [RouteParameter(name: "owner", value: "ada")]
    trial.query = [("page", "2"), ("page", "3")]
    trial.headers = [("x-total", "9")]
    trial.url = "https://api.example.test/ada?page=2"
    trial.status = 203
    let outcome = try trial.map(test.body)
    #expect(outcome.rejections.isEmpty)
    #expect(outcome.rows(of: "item") == test.cells, "\(test.place) \(test.source) in \(test.body)")
  }

  /// Fields of a record two levels down.
  @Test(arguments: [
    ("$parent.n", ["2", "2", "3"]), ("$parent.$parent.n", ["1", "1", "1"]), ("$parent.$index", ["0", "0", "1"]),
    ("$index", ["0", "1", "0"]), ("$parent.$parent.$index", ["0", "0", "0"]),
    ("$parent.$parent.$parent.n", ["9", "9", "9"]), ("$parent.$parent.$parent.late", ["8", "8", "8"]),
    ("$root.late", ["8", "8", "8"]), ("$parent.$parent.$parent.$parent.n", ["null", "null", "null"]),
    ("$parent.$parent.$key", ["'k'", "'k'", "'k'"]), ("$parent.after.x", ["4", "4", "null"]),
  ])
  func `parents of a nested record are its parent records, then what holds the place`(
    _ source: String, _ expected: [String]
  ) throws {
    let trial = try Trial(
      records: "Item: {key: n, fields: [n], relationships: {subs: [Sub]}}, Sub: {fields: [n], relationships: {notes: "
        + "[Note]}}, Note: {fields: {v: {from: \(source)}}}", at: "'items.*': Item")
    let outcome = try trial.map(
      #"{"n": 9, "items": {"k": {"n": 1, "subs": [{"n": 2, "notes": [{}, {}], "after": {"x": 4}}, {"n": 3, "notes": [{}]}]}}, "late": 8}"#
    )
    #expect(outcome.rejections.isEmpty)
    #expect(outcome.rows(of: "item_subs_notes").map { $0.split(separator: " ").last.map(String.init) } == expected)
  }

  @Test func `the key of a member that a relationship steps through`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {sizes: {record: [Size], from: sizes.*}}}, "
        + "Size: {fields: {label: $key, width: , id: $parent.id, n: $index}}", at: "items: Item")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "sizes": {"small": {"width": 5}, "l\u0061rge": {"width": 9}}}]}"#)
    #expect(outcome.rows(of: "item_sizes") == ["1 0 'small' 5 1 0", "1 1 'large' 9 1 1"])
  }

  /// A relationship of `Item`, the second of the records at `d.*` and the first with children; what its child has as its
  /// own and as its parent's number and name.
  @Test(arguments: [
    // A single child has no number, wherever it comes from, and the name of a member that a `.*` led to.
    ("c: Child", #""c": {"v": 1}"#, "- - 1 'y'"),
    ("c: {record: Child, from: c.*}", #""c": {"z": {"v": 1}}"#, "'z' - 1 'y'"),
    ("c: {record: Child, from: 'c[*]'}", #""c": [{"v": 1}]"#, "- - 1 'y'"),
    ("c: {record: Child, from: 'c[0]'}", #""c": [{"v": 1}]"#, "- - 1 'y'"),
    ("c: {record: Child, from: $root.e.f}", "", "- - 1 'y'"), ("c: Choice", #""c": {"k": 1}"#, "- - 1 'y'"),
    ("c: {record: {fields: $fields}}", #""c": {"v": 1}"#, "- - 1 'y'"),
    // One that is built from its parent's own object stands under the name where that stands.
    ("c: {record: Child, from: .}", "", "'y' - 1 'y'"),
    ("c: {record: Choice, from: .}", #""k": 1"#, "'y' - 1 'y'"),
    // An element of a list has its number, also when it stands there alone.
    ("c: [Child]", #""c": [null, {}]"#, "1 null 1 1 'y'"), ("c: [Child]", #""c": {}"#, "0 null 0 1 'y'"),
    ("c: {record: [Child], from: c.*}", #""c": {"z": {}}"#, "0 'z' 0 1 'y'"),
    ("c: {record: [Child], from: .}", "", "0 'y' 0 1 'y'"), ("c: [Choice]", #""c": [{"k": 1}]"#, "0 null 0 1 'y'"),
    ("c: {record: [Child], from: 'c[*].a[*]'}", #""c": [{"a": []}, {"a": [{}]}]"#, "0 null 0 1 'y'"),
  ])
  func `the number and the name of a child, and of its parent`(
    _ relationship: String, _ members: String, _ expected: String
  ) throws {
    let fields = "{k: $key, i: $index, pi: $parent.$index, pk: $parent.$key}"
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {\(relationship.replacing("$fields", with: fields))}}, "
        + "Child: {fields: \(fields)}, Choice: {switch: [{when: {k: 1, $parent.$index: 1}, record: Child}]}",
      at: "d.*: Item")
    let rest = members.isEmpty ? "" : ", " + members
    let outcome = try trial.map(#"{"d": {"x": {"id": 7}, "y": {"id": 8\#(rest)}}, "e": {"f": {"v": 1}}}"#)
    let table = relationship.contains("Choice") ? "item_c_child" : "item_c"
    let other = relationship.contains("from: .}") || relationship.contains("$root") ? 1 : 0
    let rows = outcome.rows(of: table)
    #expect(rows.count == 1 + other)
    #expect(rows.last == "8 \(expected)")
  }

  @Test func `conditions see no number of a single child`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: [id], relationships: {one: Child, many: [Child]}}, "
        + "Child: {where: {$index: {not: 0}}, fields: [v]}", at: ".: Item")
    let outcome = try trial.map(#"{"id": 1, "one": {"v": 1}, "many": [{"v": 2}, {"v": 3}]}"#)
    #expect(outcome.rows(of: "item_one") == ["1 1"])
    #expect(outcome.rows(of: "item_many") == ["1 1 3"])
  }

  /// The element's number counts what the place yields; a record that stands there alone is the first.
  @Test func `a single object at a place is its first record`() throws {
    let trial = try Trial(
      records: "Item: {key: id, fields: {id: , i: $index, k: $key}}", at: "data: Item, 'a[*].b': Item, 'm.*.n': Item")
    let outcome = try trial.map(
      #"{"data": {"id": 1}, "a": [{"b": {"id": 2}}, {"b": [{"id": 3}, {"id": 4}]}], "m": {"x": {"n": {"id": 5}}}}"#)
    #expect(outcome.rows(of: "item") == ["1 0 -", "2 0 -", "3 1 -", "4 2 -", "5 0 -"])
  }

  @Test func `a key may come from around the record`() throws {
    let trial = try Trial(
      records: "Item: {key: [shop, n], fields: {shop: $parent.shop, n: $index}}", at: "'shops[*].items': Item")
    let outcome = try trial.map(
      #"{"shops": [{"items": [{}, {}], "shop": "a"}, {"shop": "b", "items": [{}]}, {"items": [{}]}]}"#)
    #expect(outcome.rows(of: "item") == ["'a' 0", "'a' 1", "'b' 2"])
    #expect(outcome.rejections == ["Item /shops/2/items/0 shop: the key is missing"])
  }

  @Test(arguments: [
    ("where: {$root.ok: true}", "Item: 2 = 1"), ("where: {$parent.page: 3}", "Item: 2 = 2"),
    ("delete_when: {$parent.page: 4}", "Item: 2 = 2"), ("where: {'$root.m[0].t': 1}", "Item: 2 = 2"),
  ])
  func `a condition reads around its record, also what stands behind it`(_ rule: String, _ wanted: String) throws {
    let trial = try Trial(records: "Item: {key: id, fields: [id], \(rule)}", at: "items: Item")
    let outcomes = try [
      #"{"items": [{"id": 1}], "ok": true, "page": 3, "m": [{"t": 1}]}"#,
      #"{"items": [{"id": 2}], "ok": 1, "page": "3", "m": [{"t": "1"}]}"#,
    ].map { try trial.map($0) }
    let rows = outcomes.reduce(0) { $0 + $1.rows(of: "item").count }
    #expect("Item: 2 = \(rows)" == wanted)
  }

  @Test func `choices and 'complete' read around their records too`() throws {
    let trial = try Trial(
      records: """
        Any: {switch: [{when: {$root.kind: a, $parent.page: 3}, record: Item}, {else: skip}]},
        Item: {key: id, fields: [id], relationships: {subs: {record: [Sub], via: link, complete: {$root.whole: true}}, kids: [Kid]}},
        Sub: {key: id, fields: [id]},
        Kid: {switch: [{when: {$parent.$parent.page: 3, $parent.id: 1}, record: Sub}, {else: skip}]}
        """, at: "items: Any")
    let outcome = try trial.map(
      #"{"items": [{"id": 1, "subs": [{"id": 2}], "kids": [{"id": 3}]}], "kind": "a", "page": 3, "whole": true}"#)
    #expect(outcome.rows(of: "item") == ["1"] && outcome.rows(of: "sub") == ["2", "3"])
    #expect(outcome.batch.tables.allSatisfy { $0.lists.allSatisfy { !$0.isPartial } } && outcome.warnings == [])
    let other = try trial.map(#"{"items": [{"id": 1}], "kind": "b", "page": 3}"#)
    #expect(other.rows(of: "item") == [])
  }

  @Test func `a rejected record is kept with what its conditions and its children read around it`() throws {
    let trial = try Trial(
      records: "Item: {key: id, where: {$root.ok: true}, fields: {id: {type: integer}}, relationships: {subs: [Sub]}}, "
        + "Sub: {fields: {page: $root.page, up: $parent.id, far: $parent.$parent.page}}", at: "items: Item")
    let outcome = try trial.map(#"{"items": [{"id": "x"}], "ok": true, "page": 3}"#)
    #expect(outcome.batch.rejections.map(\.context) == [#"{"$root.ok":true,"$root.page":3}"#])
  }

  @Test func `names of parameters and variables are compared by their bytes`() throws {
    var trial = try Trial(fields: "id: {const: 1}, a: {from: '$query.caf\u{e9}'}, b: {from: '$query.cafe\u{301}'}")
    trial.query = [("cafe\u{301}", "d"), ("caf\u{e9}", "c")]
    #expect(try trial.map("{}  ", #"{"x": 1}"#).rows(of: "item").last == "1 'c' 'd'")
  }
}
