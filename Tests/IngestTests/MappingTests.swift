import Ingest
import TestSupport
import Testing

struct MappingTests {
  @Test func `a mapping tells its source, endpoints, tables and columns`() throws {
    let mapping = try Boats.mapping()
    #expect(mapping.source == "boats" && mapping.endpoints == ["boats"] && mapping.diagnostics.isEmpty)
    #expect(
      mapping.tables.map(\.name).sorted() == [
        "berth", "boat", "boat_crew", "boat_engine", "boat_extras_oar", "boat_extras_sail", "boat_guests", "person",
      ])
    let boat = try mapping.table("boat")
    #expect(boat.record == "Boat" && boat.primaryKey == ["id"])
    #expect(boat.columns.first { $0.name == "price" }?.type == .decimal)
    #expect(boat.index(of: "owner_id") != nil && boat.index(of: "nothing") == nil)
    #expect(try mapping.table("boat_guests").record == nil)
    #expect(try mapping.table("boat_crew").record == "Boat.crew")
    let error = #expect(throws: IngestError.self) { try mapping.table("boats") }
    #expect(error?.code == .unknownName && error?.message.contains("'boat'") == true)
  }

  @Test func `all errors and warnings of a mapping come with their places`() throws {
    let text = """
      ingest: 1
      source: {name: boats}
      records:
        Boat: {key: id, types: {interger: id}, fields: [id]}
        Idle: {key: id, fields: [id]}
      endpoints: {boats: {path: /b, fetch: false, records: {boats: Boot}}}
      """
    let error = #expect(throws: IngestError.self) { try Mapping(yaml: text, name: "b.yaml") }
    #expect(error?.code == .invalidMapping && error?.report == nil)
    let found = error?.diagnostics ?? []
    #expect(found.map(\.line) == found.map(\.line).sorted() && found.count >= 2)
    let first = try #require(found.first { $0.severity == .error })
    #expect(first.file == "b.yaml" && first.line == 4 && first.column == 27 && first.code == "unknown-type")
    #expect(first.hint?.contains("'integer'") == true)
    #expect(first.description.hasPrefix("b.yaml:4:27: error[\(first.code)]: \(first.message)\n"))
    #expect(!first.description.hasSuffix("\n"))
    #expect(error?.description.contains(first.description) == true)
  }

  @Test func `a warning does not stand in the way`() throws {
    let mapping = try Mapping(yaml: Boats.yaml + "  idle: {path: /idle, fetch: false, records: {}}\n")
    #expect(mapping.diagnostics.map(\.severity).allSatisfy { $0 == .warning })
    let unused = Boats.yaml.replacing("endpoints:", with: "  Idle: {key: id, fields: [id]}\nendpoints:")
    #expect(try Mapping(yaml: unused).diagnostics.map(\.code) == ["unused"])
  }

  @Test func `a mapping is read from a file, with what it includes`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("m.yaml", "ingest: 1\ninclude: rest.yaml\nsource: {name: s}\n")
    try folder.write(
      "rest.yaml",
      "records: {A: {key: id, fields: [id]}}\nendpoints: {a: {path: /a, fetch: false, records: {a: A}}}\n")
    #expect(try Mapping(contentsOfFile: path).endpoints == ["a"])
    #expect(try Mapping.diagnostics(ofFile: path).isEmpty)
    try folder.write("rest.yaml", "records: {A: {key: id, fields: [id], colour: red}}\n")
    #expect(try Mapping.diagnostics(ofFile: path).first?.file.hasSuffix("rest.yaml") == true)
    for error in [
      #expect(throws: IngestError.self) { try Mapping(contentsOfFile: folder.path("none.yaml")) },
      #expect(throws: IngestError.self) { try Mapping.diagnostics(ofFile: folder.path("none.yaml")) },
    ] {
      #expect(error?.code == .unreadableFile && error?.message.contains("none.yaml") == true)
    }
  }

  @Test func `variables take the type that the mapping gives them`() throws {
    let text = Boats.yaml.replacing("records:\n  Boat:", with: "variables: {count: {type: integer}}\nrecords:\n  Boat:")
      .replacing("- name\n", with: "- name\n      - {number: {const: '${count}'}}\n")
    let mapping = try Mapping(yaml: text, variables: ["count": "7"])
    let boat = try #require(try mapping.records(in: .text(Boats.body)).records.first)
    #expect(boat["number"] == .integer(7))
    for (variables, word) in [(["count": "many"], "count"), (["other": "1"], "other")] {
      let error = #expect(throws: IngestError.self) { try Mapping(yaml: text, variables: variables) }
      #expect(error?.code == .invalidArgument && error?.message.contains(word) == true)
    }
    let unset = #expect(throws: IngestError.self) { try Mapping(yaml: text) }
    #expect(unset?.code == .invalidMapping && unset?.diagnostics.count == 1)
  }
}
