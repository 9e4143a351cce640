import Foundation
import Ingest
import TestSupport
import Testing

struct RecordTests {
  private func mapped(_ body: String = Boats.body) throws -> MappedRecords {
    try Boats.mapping().records(in: .text(body, name: "boats.json"))
  }

  private func lark() throws -> DynamicRecord { try #require(try mapped().records.first) }

  // MARK: Values

  @Test func `values are typed by their columns`() throws {
    let boat = try lark()
    #expect(boat["id"] == .integer(12) && boat["name"] == .text("Lark") && boat["sails"] == .boolean(true))
    #expect(boat["length"] == .real(9.5) && boat["price"] == .text("1200.50") && boat["badge"] == .bytes([0, 1, 2]))
    #expect(boat["built"] == .text("1998-05-01") && boat["nothing"] == nil)
    #expect(boat.values.count == boat.table.columns.count && boat.table.name == "boat")
    #expect(boat.description.hasPrefix("boat(id: 12, name: Lark, built: 1998-05-01, sails: true"))
  }

  @Test func `values are given as Swift types`() throws {
    let boat = try lark()
    #expect(try boat.value("id", as: Int.self) == 12)
    #expect(try boat.value("id", as: Int64.self) == 12)
    #expect(try boat.value("id", as: Double.self) == 12)
    #expect(try boat.value("length", as: Double?.self) == 9.5)
    #expect(try boat.value("sails", as: Bool.self))
    #expect(try boat.value("badge", as: [UInt8].self) == [0, 1, 2])
    #expect(try boat.value("price", as: Decimal.self) == Decimal(string: "1200.5"))
    #expect(try boat.value("seen", as: Date.self).timeIntervalSince1970 == 1_436_027_400.5)
    #expect(try boat.value("uid", as: UUID.self) == UUID(uuidString: "123e4567-e89b-12d3-a456-426614174000"))
    #expect(try boat.value("home", as: URL.self).host() == "lark.example.test")
    #expect(try boat.value("raw", as: RecordValue.self) == .text(#"{"a":[1]}"#))
    let name: String = try boat.value("name")
    #expect(name == "Lark")
  }

  @Test func `null and missing differ, and both are nil`() throws {
    let boat = try mapped().records[1]
    #expect(boat["name"] == .null && boat["built"] == .missing && boat["name"]?.isPresent == false)
    #expect(try boat.value("name", as: String?.self) == nil)
    #expect(try boat.value("built", as: Date?.self) == nil)
  }

  @Test func `a value of another type is an error that names the column, not the value`() throws {
    let boat = try lark()
    for error in [
      #expect(throws: IngestError.self) { try boat.value("name", as: Int.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: Int?.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: Date.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: Decimal.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: UUID.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: Bool.self) },
      #expect(throws: IngestError.self) { try boat.value("name", as: [UInt8].self) },
    ] {
      #expect(error?.code == .typeMismatch && error?.message.contains("boat.name") == true)
      #expect(error?.message.contains("Lark") == false)
    }
    for (column, code) in [("built", IngestError.Code.typeMismatch), ("nothing", .unknownName)] {
      let error = #expect(throws: IngestError.self) { try boat.value(column, as: Date.self) }
      #expect(error?.code == code && error?.message.contains(column) == true)
    }
    let null = #expect(throws: IngestError.self) { try mapped().records[1].value("name", as: String.self) }
    #expect(null?.code == .typeMismatch && null?.message.contains("null") == true)
  }

  @Test(arguments: ["1.2.3", "", "-", "1,5", "123456789012345678901234567890123456789", "1e5", "--1", "."])
  func `a decimal that Foundation cannot hold exactly is none`(_ text: String) {
    #expect(Decimal(recordValue: .text(text)) == nil)
  }

  @Test func `a type of one's own is read from values`() throws {
    enum Name: String, RecordValueConvertible {
      case lark = "Lark"
      init?(recordValue: RecordValue) {
        guard case .text(let text) = recordValue else { return nil }
        self.init(rawValue: text)
      }
    }
    #expect(try lark().value("name", as: Name.self) == .lark)
    #expect(throws: IngestError.self) { try lark().value("id", as: Name.self) }
  }

  // MARK: Relationships

  @Test func `each shape of relationship is followed`() throws {
    let boat = try lark()
    #expect(boat.relationships == ["crew", "engine", "owner", "skipper", "guests", "berths", "extras"])
    func names(_ relationship: String, _ column: String) throws -> [RecordValue?] {
      try boat.children(relationship).map { $0[column] }
    }
    #expect(try names("crew", "name") == [.text("Ada"), .text("Bo")])
    #expect(try names("crew", "position") == [.integer(0), .integer(1)])
    #expect(try names("crew", "boat_id") == [.integer(12), .integer(12)])
    #expect(try boat.child("engine")?["maker"] == .text("Volt"))
    #expect(try boat.child("owner")?["name"] == .text("Cy"))
    #expect(try boat.child("skipper")?["name"] == .text("Cy again"))
    #expect(try names("guests", "name") == [.text("Di"), .text("Cy as a guest")])
    #expect(try names("berths", "code") == [.text("A1"), .text("A2")])
    #expect(try boat.children("extras").map(\.table.record) == ["Oar", "Sail", "Oar"])
  }

  @Test func `what is not there leads to nothing, and what is not declared is an error`() throws {
    let boats = try mapped().records
    #expect(try boats[1].children("crew").isEmpty && boats[1].child("owner") == nil && boats[1].child("engine") == nil)
    for error in [
      #expect(throws: IngestError.self) { try boats[0].children("sails") },
      #expect(throws: IngestError.self) { try boats[0].child("sails") },
    ] {
      #expect(error?.code == .unknownName && error?.message.contains("'crew'") == true)
    }
    let several = #expect(throws: IngestError.self) { try boats[0].child("crew") }
    #expect(several?.code == .typeMismatch)
  }

  @Test func `a rejected child is no child, and does not lend its key`() throws {
    let body = """
      {"data": {"boats": [{"id": 1, "owner": {"id": 2, "age": "x"}, "skipper": {"id": 2},
        "guests": [{"id": "y"}, {"id": 5}], "crew": [{"name": {}}, {"name": "Bo"}]}]}}
      """
    let mapped = try mapped(body)
    let boat = try #require(mapped.records.first)
    #expect(try boat.child("owner") == nil && boat.child("skipper")?["id"] == .integer(2))
    #expect(try boat.children("guests").map { $0["id"] } == [.integer(5)])
    #expect(try boat.children("crew").map { $0["name"] } == [.text("Bo")])
    #expect(mapped.rejections.count == 3 && mapped.report.rejected == 3)
  }

  @Test func `rows of a table are found wherever they are nested`() throws {
    let mapped = try mapped()
    #expect(try mapped["person"].map { try $0.value("id", as: Int.self) } == [1, 1, 3, 1])
    #expect(mapped["boat"].count == 3 && mapped["boat_crew"].count == 2 && mapped["nothing"].isEmpty)
    #expect(mapped.records[0].descendants.map(\.table.name).first == "boat")
  }

  @Test func `records nested in records of the same kind are followed to their end`() throws {
    let mapping = try Mapping(
      yaml: """
        ingest: 1
        source: {name: tree}
        records: {Node: {key: id, types: {integer: id}, fields: [id], relationships: {kids: [Node]}}}
        endpoints: {e: {path: /e, fetch: false, records: {".": Node}}}
        """)
    let depth = 250
    let text = (1...depth).map { "{\"id\": \($0), \"kids\": [" }.joined() + String(repeating: "]}", count: depth)
    var node = try #require(try mapping.records(in: .text(text)).records.first)
    var count = 1
    while let next = try node.child("kids") { (node, count) = (next, count + 1) }
    #expect(count == depth && node["id"] == .integer(Int64(depth)))
  }

  // MARK: Bodies

  @Test func `what is rejected or deleted is told apart`() throws {
    let mapped = try mapped()
    #expect(mapped.records.map(\.isDeleted) == [false, false, true])
    #expect(mapped.records[2]["id"] == .integer(14) && mapped.records[2]["name"] == .missing)
    let rejection = try #require(mapped.rejections.first)
    #expect(mapped.rejections.count == 1 && rejection.record == "Boat" && rejection.column == "id")
    #expect(rejection.source == "boats.json" && rejection.pointer == "/data/boats/2")
    #expect(rejection.description.hasPrefix("boats.json: /data/boats/2: Boat.id: "))
    let counts = try #require(mapped.report["Boat"])
    #expect(counts.received == 4 && counts.inserted == 2 && counts.deleted == 1 && counts.rejected == 1)
    #expect(mapped.report["Person"]?.received == 4 && mapped.report["boat"] == nil)
    #expect(mapped.report.description.contains("Boat: 4 received, 2 inserted, 1 deleted, 1 rejected"))
  }

  @Test func `a body is routed by endpoint or path, and read from a file`() throws {
    let mapping = try Mapping(
      yaml: Boats.yaml + "  one: {path: '/v1/boats/:id', fetch: false, records: {boat: Boat}}\n")
    let one = Body.text(#"{"boat": {"id": 5}}"#)
    #expect(try mapping.records(in: one, from: .endpoint("one"))["boat"].count == 1)
    #expect(try mapping.records(in: one, from: .path("/v1/boats/5?full=1"))["boat"].count == 1)
    let folder = try TemporaryFolder()
    let path = try folder.write("lines.ndjson", "{\"boat\": {\"id\": 5}}\n{\"boat\": {\"id\": 6}}\n")
    #expect(
      try mapping.records(in: .file(path), from: .endpoint("one"))["boat"].map { $0["id"] } == [
        .integer(5), .integer(6),
      ])
    let refused: [(Route?, IngestError.Code)] = [
      (nil, .refused), (.endpoint("two"), .refused), (.path("/v2"), .failed),
    ]
    for (route, code) in refused {
      let error = #expect(throws: IngestError.self) { try mapping.records(in: one, from: route) }
      #expect(error?.code == code)
    }
    let missing = #expect(throws: IngestError.self) {
      try mapping.records(in: .file(folder.path), from: .endpoint("one"))
    }
    #expect(missing?.code == .unreadableFile)
  }

  @Test(arguments: ["{", "[1", "{\"data\": 1}", "{\"other\": {}}", "\u{FEFF}nul"])
  func `a body that cannot be taken is an error`(_ text: String) throws {
    let mapping = try Boats.mapping()
    let error = #expect(throws: IngestError.self) { try mapping.records(in: .text(text, name: "b.json")) }
    #expect(error?.code == .failed && error?.message.contains("b.json") == true && error?.report?.received == 0)
  }

  @Test func `an error answer is one by its status`() throws {
    let mapping = try Boats.mapping()
    let error = #expect(throws: IngestError.self) { try mapping.records(in: .text(Boats.body), status: 500) }
    #expect(error?.code == .failed)
  }

  // MARK: Record by record

  private func many(_ count: Int) -> String {
    let boats = (1...count).map { "{\"id\": \($0), \"crew\": [{\"name\": \"n\($0)\"}]}" }
    return "{\"data\": {\"boats\": [\(boats.joined(separator: ","))]}}"
  }

  @Test func `records of a large body come one by one, each with its own children`() throws {
    var (count, fits) = (0, true)
    let report = try Boats.mapping().forEachRecord(in: .text(many(20_000))) { boat in
      count += 1
      let id = try boat.value("id", as: Int.self)
      fits = try fits && id == count && boat.child("crew")?["name"] == .text("n\(id)")
    }
    #expect(count == 20_000 && fits && report.received == 40_000)
  }

  private struct Enough: Error {}

  @Test func `whoever takes records may end it`() throws {
    var count = 0
    #expect(throws: Enough.self) {
      try Boats.mapping().forEachRecord(in: .text(many(100))) { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
  }

  @Test func `mapping is cancelled by a token`() throws {
    let token = CancellationToken()
    let error = #expect(throws: IngestError.self) {
      try Boats.mapping().forEachRecord(in: .text(many(200_000)), cancellation: token) { _ in token.cancel() }
    }
    #expect(error?.code == .cancelled && token.isCancelled)
  }
}
