import Foundation
import Setup
import MappingLanguage
import Pipeline
import TestSupport
import Testing

/// `test --update` on files.
struct TestUpdaterTests {
  private static let mapping = """
    ingest: 1
    source: {name: demo}
    include: [tests/more.yaml]
    records: {Item: {table: items, key: id, fields: {id: {type: integer}}}}
    endpoints: {items: {path: /items, fetch: false, records: {items: Item}}}
    tests:
      - {name: one, endpoint: items, body: {items: [{id: 1}]}, expect: {items: [{id: 9}]}}

    """
  private static let more = """
    tests:
      - {name: two, endpoint: items, response: sample.json, expect: {items: {count: 9}}}

    """

  private let folder: TemporaryFolder
  private var path: String { folder.path("m.yaml") }
  private var morePath: String { folder.path("tests/more.yaml") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("tests"), withIntermediateDirectories: true)
    try write(Self.mapping, to: path)
    try write(Self.more, to: morePath)
    // Beside the file that names it.
    try write(#"{"items": [{"id": 2}]}"#, to: folder.path("tests/sample.json"))
  }

  private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  private func failed(_ path: String) throws -> [TestOutcome] {
    let loaded = try #require(try LoadedMapping.read(path, for: .checking).loaded)
    return loaded.mapping.tests.map { loaded.testRunner.outcome(of: $0) }.filter { !$0.holds }
  }

  @Test func `each file gets its own expectations, and keeps its permissions`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let failed = try failed(path)
    #expect(failed.count == 2)
    try TestUpdater(path: path).update(failed)
    #expect(try text(path) == Self.mapping.replacing("{id: 9}", with: "{id: 1}"))
    #expect(try text(morePath) == Self.more.replacing("9", with: "1"))
    #expect(try self.failed(path).isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["m.yaml", "tests"])
  }

  @Test func `a link stays one`() throws {
    let link = folder.path("tests/link.yaml")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../m.yaml")
    try write(Self.mapping.replacing("include: [tests/more.yaml]\n", with: ""), to: path)
    try TestUpdater(path: link).update(try failed(link))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../m.yaml")
    #expect(try text(path).contains("expect: {items: [{id: 1}]}"))
  }

  @Test func `one test that cannot be rewritten keeps all as they are`() throws {
    try write(Self.more.replacing("count: 9", with: "count: &nine 9"), to: morePath)
    let failed = try failed(path)
    let refusal = #expect(throws: TestUpdater.Refusal.self) { try TestUpdater(path: path).update(failed) }
    #expect(refusal?.test?.name.value == "two")
    #expect(try text(path) == Self.mapping)
  }

  @Test func `what would hold for one test and break another is not written`() throws {
    let text = Self.mapping.replacing(
      "tests:\n",
      with: "tests:\n  - &body {name: a, endpoint: items, body: {items: []}, expect: {items: [{id: 9}]}}\n"
        + "  - {<<: *body, name: b, body: {items: [{id: 9}]}}\n")
    try write(text, to: path)
    let failed = try failed(path)
    let refusal = #expect(throws: TestUpdater.Refusal.self) { try TestUpdater(path: path).update(failed) }
    let reason = refusal?.reason ?? ""
    #expect(reason.hasPrefix("what would be written does not hold: test 'b'"), "\(reason)")
    #expect(try self.text(path) == text)
  }

  @Test func `where one file is read-only, none is written`() throws {
    let failed = try failed(path)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: morePath)
    let refusal = #expect(throws: TestUpdater.Refusal.self) { try TestUpdater(path: path).update(failed) }
    #expect(refusal?.test?.name.value == "two")
    #expect(refusal?.reason == "'\(morePath)' cannot be written: it is read-only")
    #expect(try text(path) == Self.mapping && text(morePath) == Self.more)
    #expect(try FileManager.default.attributesOfItem(atPath: morePath)[.posixPermissions] as? Int == 0o444)
  }

  @Test func `a file that has changed meanwhile stays`() throws {
    let failed = try failed(path)
    try write(Self.mapping + "# mine\n", to: path)
    #expect(throws: TestUpdater.Refusal.self) { try TestUpdater(path: path).update(failed) }
    #expect(try text(path) == Self.mapping + "# mine\n")
  }
}
