import Pipeline
import Testing

/// A row that a seen row still refers to counts as seen, whatever the way; one that only unseen rows refer to goes.
struct SweepReferenceTests {
  @Test(arguments: [
    ("a column", "owner: Person", #"{"id": 1, "owner": {"id": 7}}"#, #"{"id": 2, "owner": {"id": 8}}"#),
    ("a link", "owners: [Person]", #"{"id": 1, "owners": [{"id": 7}]}"#, #"{"id": 2, "owners": [{"id": 8}]}"#),
    (
      "a column of its own", "owners: {record: [Person], via: child}", #"{"id": 1, "owners": [{"id": 7}]}"#,
      #"{"id": 2, "owners": [{"id": 8}]}"#
    ),
    (
      "a keyless child's column", "roles: [{fields: [role], relationships: {person: Person}}]",
      #"{"id": 1, "roles": [{"role": "r", "person": {"id": 7}}]}"#, #"{"id": 2, "roles": [{"person": {"id": 8}}]}"#
    ),
    (
      "a link of a keyless child's child",
      "roles: [{fields: [role], relationships: {teams: [{fields: [name], relationships: {people: [Person]}}]}}]",
      #"{"id": 1, "roles": [{"teams": [{"people": [{"id": 7}]}]}]}"#,
      #"{"id": 2, "roles": [{"teams": [{"people": [{"id": 8}]}]}]}"#
    ),
    (
      "another record", "house: {record: House}", #"{"id": 1, "house": {"id": 5, "owner": {"id": 7}}}"#,
      #"{"id": 2, "house": {"id": 6, "owner": {"id": 8}}}"#
    ),
  ])
  func `it stays by`(_ way: String, _ relationship: String, _ first: String, _ second: String) throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: {id: {type: integer}, n: {type: integer}}, "
        + "relationships: {\(relationship)}}, "
        + "House: {table: houses, key: id, fields: [id], relationships: {owner: Person}}, "
        + "Person: {table: people, key: id, fields: {id: {type: integer}}, sweep: true}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item, houses: House}}")
    try bench.load(#"{"items": [\#(first), \#(second)], "houses": []}"#)
    #expect(try bench.rows("SELECT id FROM people ORDER BY id") == ["7", "8"])
    // Item 2 is not seen, so what it refers to goes; item 1 is seen, be it rejected, and says nothing of its own.
    let run = try bench.load(#"{"items": [{"id": 1, "n": "x"}], "houses": []}"#)
    #expect(run.messages.map(\.text) == ["Person: 1 row was swept"])
    #expect(try bench.rows("SELECT id FROM people") == ["7"])
    #expect(try bench.rows("SELECT id FROM items ORDER BY id") == ["1", "2"])
    #expect(try bench.faults().isEmpty)
    try bench.load(#"{"items": [], "houses": []}"#)
    #expect(try bench.rows("SELECT id FROM people").isEmpty)
  }

  @Test func `chains and circles of references end`() throws {
    let bench = try Bench(
      records: "Person: {table: people, key: [id, at], fields: {id: {type: integer}, at: {type: text}}, sweep: true, "
        + "relationships: {boss: Person, friends: [Person]}}",
      endpoints: "people: {path: /people, fetch: false, records: {'.': Person}}")
    func person(_ id: Int, _ more: String = "") -> String { #"{"id": \#(id), "at": "x"\#(more)}"# }
    func boss(_ id: Int, _ inner: String) -> String { person(id, #", "boss": \#(inner)"#) }
    let chain = (1..<30).reduce(person(1)) { boss($1 + 1, $0) }
    try bench.load("[\(chain), \(person(40, #", "friends": [\#(person(41)), \#(person(40))]"#)), \(person(50))]")
    #expect(try bench.rows("SELECT count(*) FROM people") == ["33"])
    try bench.load("[\(person(30)), \(person(40))]")
    #expect(try bench.rows("SELECT count(*) FROM people") == ["32"])
    #expect(try bench.rows("SELECT id FROM people WHERE id >= 40 ORDER BY id") == ["40", "41"])
    try bench.load("[\(person(20)), \(person(41))]")
    #expect(try bench.rows("SELECT max(id) FROM people WHERE id < 40") == ["20"])
    #expect(try bench.rows("SELECT id FROM people WHERE id >= 40") == ["41"])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `what goes takes keyless children and links along, and columns that refer to it become null`() throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: [id], sweep: true, relationships: {tags: [{fields: {tag: .}}], "
        + "people: {record: [Person], sweep: true}}}, "
        + "Person: {table: people, key: id, fields: [id]}, "
        + "Note: {table: notes, key: id, fields: [id], relationships: {item: Item}}",
      endpoints:
        "items: {path: /items, fetch: false, records: {items: Item}}, notes: {path: /notes, fetch: false, records: {'.': Note}}"
    )
    try bench.load(
      [
        #"{"items": [{"id": 1, "tags": ["a"], "people": [{"id": 1}, {"id": 2}]}, {"id": 2, "tags": ["b"], "people": [{"id": 2}]}]}"#
      ], route: .endpoint("items"))
    try bench.load([#"[{"id": 1, "item": {"id": 3}}]"#], route: .endpoint("notes"))
    try bench.load([#"{"items": [{"id": 2}, {"id": 3}]}"#], route: .endpoint("items"))
    try bench.load([#"{"items": [{"id": 2}]}"#], route: .endpoint("items"))
    // Note 1's walk has seen item 3.
    #expect(try bench.rows("SELECT id FROM items") == ["2", "3"])
    try bench.load(["[]"], route: .endpoint("notes"))
    try bench.load([#"{"items": [{"id": 2}]}"#], route: .endpoint("items"))
    #expect(
      try bench.contents() == [
        "items": ["2"], "item_tags": ["2|0|b"], "item_people": ["2|2|0"], "people": ["2"], "notes": ["1|null"],
      ])
    #expect(try bench.faults().isEmpty)
  }

  @Test func `a child that lost its last parent by a sweep stays when the walk has seen it`() throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: [id], sweep: true, "
        + "relationships: {people: {record: [Person], sweep: true}}}, Person: {table: people, key: id, fields: [id]}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item, people: Person}}")
    try bench.load(#"{"items": [{"id": 1, "people": [{"id": 1}, {"id": 2}]}], "people": []}"#)
    try bench.load(#"{"items": [], "people": [{"id": 2}]}"#)
    #expect(try bench.rows("SELECT id FROM people") == ["2"])
    #expect(try bench.rows("SELECT count(*) FROM items") == ["0"])
  }

  @Test func `rejected children of a rejected parent count as seen`() throws {
    let bench = try Bench(
      records:
        "Item: {table: items, key: id, fields: [id], relationships: {people: {record: [Person], on_item_error: fail}}}, "
        + "Person: {table: people, key: id, fields: {id: {type: integer}, n: {type: integer}}, sweep: true}",
      endpoints: "items: {path: /items, fetch: false, records: {items: Item, people: Person}}")
    try bench.load(#"{"items": [], "people": [{"id": 1}, {"id": 2}]}"#)
    try bench.load(#"{"items": [{"id": 9, "people": [{"id": 1, "n": "x"}]}], "people": []}"#)
    #expect(try bench.rows("SELECT id FROM people") == ["1"])
  }

  @Test func `a history's versions end, and none is deleted`() throws {
    let bench = try Bench(
      records: "Item: {table: items, key: id, fields: [id, v], write: history, sweep: true}",
      endpoints: "items: {path: /items, fetch: false, records: {'.': Item}}")
    try bench.load(#"[{"id": 1, "v": 1}, {"id": 2, "v": 1}]"#)
    try bench.load(#"[{"id": 1, "v": 2}]"#)
    let versions = "SELECT id, v, valid_to IS NULL FROM items ORDER BY id, valid_from"
    #expect(try bench.rows(versions) == ["1|1|0", "1|2|1", "2|1|0"])
    #expect(try bench.rows("SELECT count(*) FROM items WHERE valid_to <= valid_from") == ["0"])
    try bench.load(#"[{"id": 1, "v": 2}, {"id": 2, "v": 1}]"#)
    #expect(try bench.rows(versions) == ["1|1|0", "1|2|1", "2|1|0", "2|1|1"])
    try bench.load("[]")
    #expect(try bench.rows(versions) == ["1|1|0", "1|2|0", "2|1|0", "2|1|0"])
  }
}
