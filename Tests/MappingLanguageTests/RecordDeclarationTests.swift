import Diagnostics
import JSONReading
import MappingLanguage
import Records
import Testing
import Values

struct RecordDeclarationTests {
  static let whole = """
    ingest: 1
    source: {name: shop, base_url: https://api.example.test}
    records:
      Order:
        table: orders
        renamed_from: sales
        key: id
        write: insert
        modified: changed
        where: {state: [open, 1], $route.shop: {not: null}}
        delete_when: {deleted: true}
        sweep: {where: id > 1, max_delete: 12.5%}
        unmapped: capture
        track: true
        indexes: [[id, changed], {columns: [note], unique: true, where: note <> ''}, {columns: [id]}]
        types: {integer: [listed], "*": text}
        fields:
          id: {type: integer, index: true}
          changed: {type: timestamp, index: unique, renamed_from: updated}
          note: {jq: ".a + .b", index: false}
          user_id: {references: User}
          city: {references: Place.Paris.city, format: yyyy}
          chained: {references: Order.user_id}
          round: {references: Order.round}
          listed: {references: User}
          own: {type: text, references: User}
        relationships:
          lines: {record: [Line], via: child, policy: union, complete: {more: false}, on_item_error: fail, sweep: true}
          actor: Actor
          actors: {record: [Actor], via: link, policy: replace, on_item_error: skip, sweep: false}
      User: {key: id, sweep: true, fields: {id: {type: uuid}}}
      Place.Paris: {key: [zip, city], sweep: {max_delete: 7}, fields: {zip: , city: {type: date}}}
      Line: {key: id, sweep: false, fields: [id]}
      Actor:
        description: who it was
        switch:
          - {when: {kind: u}, record: User}
          - {when: {kind: {in: [s, r]}}, record: Inner}
          - {else: skip}
      Inner: {switch: [{when: {kind: s}, record: Line}, {else: reject}]}
      Last: {switch: [{when: {kind: s}, record: Line}, {else: User}]}
    endpoints:
      orders: {path: "/:shop/orders", fetch: false, records: {orders: Order, actors: Actor, last: Last}}
    """

  private let records: [RecordDeclaration]

  init() throws { records = try Reading.clean(Self.whole).records }

  private func record(_ name: String) throws -> RecordDeclaration {
    try #require(records.first { $0.name.value == name })
  }

  private func field(_ name: String) throws -> FieldDeclaration {
    try #require(try record("Order").fields.first { $0.column.value == name })
  }

  private func text(_ span: SourceSpan?) -> String? {
    span.map { String(decoding: $0.file.bytes[$0.start.offset..<$0.end.offset], as: UTF8.self) }
  }

  @Test func `what a record says of its rows is read`() throws {
    let order = try record("Order")
    #expect(order.cases == nil)
    #expect(order.renamedFrom?.value == "sales")
    #expect(order.write?.value == .insert)
    #expect(order.modified?.value == "changed")
    #expect(order.unmapped == .capture)
    #expect(order.isTracked)
    guard case .all(let tests) = order.filter?.value, case .test(_, .equals([.text("open"), .number("1")])) = tests[0],
      case .test(let path, .differs([.null])) = tests[1],
      case .test(_, .equals([.boolean(true)])) = order.tombstone?.value
    else {
      Issue.record("\(String(describing: order.filter)) \(String(describing: order.tombstone))")
      return
    }
    #expect(path.origin == .route("shop"))
    #expect(text(order.tombstone?.span) == "{deleted: true}")
    let line = try record("Line")
    #expect(line.filter == nil)
    #expect(line.tombstone == nil)
    #expect(line.unmapped == .ignore)
    #expect(!line.isTracked)
  }

  @Test func `sweeps are read with their bounds`() throws {
    let sweep = try #require(try record("Order").sweep)
    #expect(sweep.condition?.value == "id > 1")
    #expect(sweep.maxDelete == .share(125))
    #expect(try record("User").sweep != nil)
    #expect(try record("User").sweep?.maxDelete == nil)
    #expect(try record("Place.Paris").sweep?.maxDelete == .rows(7))
    #expect(try record("Line").sweep == nil)
  }

  @Test func `indexes are read`() throws {
    let indexes = try record("Order").indexes
    #expect(indexes.map { $0.columns.map(\.value) } == [["id", "changed"], ["note"], ["id"]])
    #expect(indexes.map(\.isUnique) == [false, true, false])
    #expect(indexes.map(\.condition?.value) == [nil, "note <> ''", nil])
    #expect(try ["id", "changed", "note"].map { try field($0).index } == [.plain, .unique, .none])
  }

  @Test func `programs and former names are read with their places`() throws {
    guard case .jq(let program) = try field("note").source else {
      Issue.record("no program")
      return
    }
    #expect(program.value == ".a + .b")
    #expect(text(program.span) == "\".a + .b\"")
    #expect(try field("changed").renamedFrom?.value == "updated")
  }

  @Test func `a reference has the type of what it refers to, unless it has its own`() throws {
    let names = ["user_id", "city", "chained", "round", "listed", "own", "note"]
    let types: [ColumnType] = [.uuid, .date, .uuid, .any, .integer, .text, .text]
    #expect(try names.map { try field($0).conversion.type } == types)
    #expect(try field("user_id").references?.record.value == "User")
    #expect(try field("user_id").references?.column == nil)
    #expect(try field("city").references?.record.value == "Place.Paris")
    #expect(try field("city").references?.column?.value == "city")
    #expect(try field("city").conversion.formats == ["yyyy"])
    #expect(try field("note").references == nil)
  }

  @Test func `choices are read, case by case`() throws {
    let actor = try record("Actor")
    let cases = try #require(actor.cases)
    #expect(actor.description == "who it was")
    #expect(actor.fields.isEmpty)
    #expect(!actor.hasFields)
    #expect(cases.map { text($0.whenSpan) } == ["{kind: u}", "{kind: {in: [s, r]}}", nil])
    #expect(cases.map { $0.when == nil } == [false, false, true])
    #expect(cases.map(\.outcome).map(described) == ["User", "Inner", "(skip)"])
    #expect(try record("Inner").cases?.map(\.outcome).map(described) == ["Line", "(reject)"])
    #expect(try record("Last").cases?.map(\.outcome).map(described) == ["Line", "User"])
  }

  private func described(_ outcome: CaseDeclaration.Outcome) -> String {
    switch outcome {
    case .record(let name): name.value
    case .skip: "(skip)"
    case .reject: "(reject)"
    }
  }

  @Test func `every shape of relationship is read`() throws {
    let relationships = try record("Order").relationships
    #expect(relationships.map(\.shape) == [.many, .one, .many])
    #expect(relationships.map(\.record.value) == ["Line", "Actor", "Actor"])
    #expect(relationships.map(\.isViaChild) == [true, false, false])
    #expect(relationships.map(\.isUnion) == [true, false, false])
    #expect(relationships.map(\.failsParent) == [true, false, false])
    #expect(relationships.map(\.sweepsOrphans) == [true, false, false])
    #expect(relationships.map { text($0.complete?.span) } == ["{more: false}", nil, nil])
  }

  @Test(arguments: [
    ("0", "rows(0)"), ("100", "rows(100)"), ("0%", "share(0)"), ("20%", "share(200)"), ("0.1%", "share(1)"),
    ("100%", "share(1000)"), ("100.0%", "share(1000)"), ("100.1%", nil), ("101%", nil), ("-1", nil), ("1.25%", nil),
    ("20 %", nil), ("%", nil), ("half", nil), ("99999999999999999999", nil),
  ])
  func `the bound of a sweep is a number or a share`(_ written: String, _ expected: String?) throws {
    let text = Self.whole.replacing("max_delete: 7", with: "max_delete: '\(written)'")
    let (mapping, diagnostics) = Reading.text(text)
    let bound = mapping?.records.first { $0.name.value == "Place.Paris" }?.sweep?.maxDelete
    #expect(bound.map { "\($0)" } == expected)
    #expect(diagnostics.map(\.code) == (expected == nil ? [.badValue] : []))
  }
}
