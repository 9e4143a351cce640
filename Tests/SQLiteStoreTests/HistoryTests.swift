import Records
import Store
import Testing

/// `write: history`: a row for each state.
struct HistoryTests {
  /// Items with an owner.
  static var schema: StoreSchema {
    var items = Shapes.record(
      "items", key: ["id", "valid_from"],
      [
        ("id", .integer), ("price", .text), ("note", .text), ("owner_id", .integer), ("valid_from", .timestamp),
        ("valid_to", .timestamp), ("_run_id", .integer),
      ], references: [("owner_id", "owners")])
    items.write = .history
    items.tracking = [6]
    return StoreSchema(tables: [
      .init(shape: items, record: "Item"),
      .init(shape: Shapes.record("owners", key: ["id"], [("id", .integer)]), record: "Owner"),
    ])
  }

  private let schema = Self.schema
  private let database: TemporaryDatabase
  private let store: any Store

  init() throws {
    database = try TemporaryDatabase()
    store = try database.store(Self.schema)
  }

  @discardableResult
  private func put(_ items: [(id: Int64, price: Value)], run: Int64 = 1) throws -> String? {
    try store.document(schema) { document in
      for (id, price) in items {
        document.row("items", [.integer(id), price, .missing, .missing, .missing, .missing, .integer(run)])
      }
    }["Item"]
  }

  private func versions() throws -> [String] {
    try database.rows("SELECT id, price, valid_to IS NULL, _run_id FROM items ORDER BY id, valid_from")
  }

  @Test func `a changed row closes its old version, an equal one is unchanged`() throws {
    #expect(try put([(1, "1.10"), (2, "5")]) == "+2 ~0 =0")
    #expect(try put([(1, "1.20"), (2, "5")], run: 2) == "+0 ~1 =1")
    #expect(try put([(1, "1.20"), (2, "5")], run: 3) == "+0 ~0 =2")
    #expect(try versions() == ["1,'1.10',0,1", "1,'1.20',1,2", "2,'5',1,1"])
    #expect(
      try database.rows(
        "SELECT a.valid_to = b.valid_from FROM items a, items b WHERE a.id = b.id AND a.valid_to IS NOT NULL "
          + "AND b.valid_to IS NULL") == ["1"])
    let times = try database.rows("SELECT valid_from FROM items")
    #expect(times.allSatisfy { $0.wholeMatch(of: /'20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,7})?'/) != nil }, "\(times)")
  }

  @Test func `several changes in one body make one version`() throws {
    #expect(try put([(1, "a"), (1, "b")]) == "+1 ~0 =1")
    #expect(try put([(1, "c"), (1, "d")], run: 2) == "+0 ~1 =1")
    #expect(try put([(1, "c"), (1, "d")], run: 3) == "+0 ~0 =2")
    #expect(try versions() == ["1,'b',0,1", "1,'d',1,2"])
  }

  @Test func `bodies of one transaction make a version each`() throws {
    let document = DocumentBuilder(schema)
    for price in ["a", "b", "c"] {
      if price != "a" { document.body() }
      document.row("items", [1, .text(price), .missing, .missing, .missing, .missing, 1])
    }
    #expect(try store.write([document.builder], schema)["Item"] == "+1 ~2 =0")
    #expect(try versions() == ["1,'a',0,1", "1,'b',0,1", "1,'c',1,1"])
  }

  @Test func `a tombstone closes and deletes nothing; what comes after it is new`() throws {
    func bury(_ isLate: Bool, _ price: Value? = nil) throws -> String? {
      try store.document(schema) { document in
        if isLate, let price { document.row("items", [1, price, nil, nil, .missing, .missing, 1]) }
        document.row("items", [1, nil, nil, nil, .missing, .missing, 1], isTombstone: true)
        if !isLate, let price { document.row("items", [1, price, nil, nil, .missing, .missing, 1]) }
      }["Item"]
    }
    #expect(try bury(true) == "+0 ~0 =1")
    #expect(try put([(1, "a")]) == "+1 ~0 =0")
    #expect(try bury(false, "a") == "+0 ~0 =2")
    #expect(try bury(false, "b") == "+0 ~1 =1")
    #expect(try bury(true, "c") == "+0 ~1 =1")
    #expect(try versions() == ["1,'a',0,1", "1,'b',0,1"])
    #expect(try bury(true, "d") == "+0 ~0 =2")
    #expect(try put([(1, "e")]) == "+1 ~0 =0")
    #expect(try versions() == ["1,'a',0,1", "1,'b',0,1", "1,'e',1,1"])
  }

  @Test func `each version keeps its reference; when the child goes, all lose it`() throws {
    for owner in [7, 8, 8] as [Int64] {
      try store.document(schema) { document in
        let item = document.row("items", [1, "p", nil, .integer(owner), .missing, .missing, 1])
        document.row("owners", [.integer(owner)], in: item)
      }
    }
    #expect(try database.rows("SELECT owner_id FROM items ORDER BY valid_from") == ["7", "8"])
    let outcome = try store.document(schema) { document in
      document.row("items", [1, "q", .missing, .missing, .missing, .missing, 2])
      document.row("owners", [8], isTombstone: true)
    }
    #expect(outcome["Item"] == "+0 ~1 =0")
    #expect(
      try database.rows("SELECT price, owner_id FROM items ORDER BY valid_from") == ["'p',7", "'p',NULL", "'q',NULL"])
    #expect(try database.faults() == [])
  }

  @Test func `versions stay in order when the clock goes back`() throws {
    try put([(1, "a")])
    try database.run("UPDATE items SET valid_from = '2999-01-01 00:00:00.25'")
    try put([(1, "b")])
    try put([(1, "c")])
    #expect(try versions() == ["1,'a',0,1", "1,'b',0,1", "1,'c',1,1"])
    #expect(try database.rows("SELECT max(valid_from) < '2999-01-01 00:00:00.26' FROM items") == ["1"])
  }
}
