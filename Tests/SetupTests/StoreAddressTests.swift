import Diagnostics
import Foundation
import Setup
import MappingLanguage
import PlanCompiler
import Records
import Store
import TestSupport
import Testing
import Values

struct StoreAddressTests {
  private func url(
    _ option: String?, store: String, variables: [Interpolation.Variable] = [], name: String = "demo"
  ) throws -> String {
    let text = "ingest: 1\nsource: {name: \(name)}\nvariables: {file: {type: text}}\n\(store)"
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", text: text)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "none")
    }
    guard let mapping else { throw FixtureError(DiagnosticPrinter.text(findings, colour: false)) }
    let scope = Interpolation(variables: variables, now: Instant(seconds: 0), environment: { _ in nil })
    return try StoreAddress.url(option: option, mapping: mapping, scope: scope)
  }

  private static let declared = "store: {url: \"sqlite:${file}\"}\n"

  @Test func `the option wins over the mapping, which wins over the source's name`() throws {
    let file = Interpolation.Variable(name: "file", type: .text, value: .text("own.db"))
    #expect(try url("sqlite:x.db", store: Self.declared, variables: [file]) == "sqlite:x.db")
    #expect(try url(nil, store: Self.declared, variables: [file]) == "sqlite:own.db")
    #expect(try url(nil, store: "") == "sqlite:demo.db")
  }

  @Test(arguments: ["../demo", "/etc/demo", "a/b"])
  func `a source's name that leads to another folder is no name of a file`(_ name: String) throws {
    let failure = #expect(throws: StoreAddress.Failure.self) { try url(nil, store: "", name: name) }
    #expect(failure?.message.contains("'\(name)' is no name of a file") == true)
    #expect(try url("sqlite:x.db", store: "", name: name) == "sqlite:x.db")
  }

  @Test func `a URL that needs a value nobody gave says which`() {
    let open = Interpolation.Variable(name: "file", type: .text, value: nil)
    let failure = #expect(throws: StoreAddress.Failure.self) {
      try url(nil, store: Self.declared, variables: [open])
    }
    #expect(failure?.message == "the store's URL needs 'file', which has no value")
  }

  @Test(arguments: [
    ("postgres://u:plum@h/db", "this version cannot store in PostgreSQL: use --store sqlite:FILE"),
    ("postgresql://h/db", "this version cannot store in PostgreSQL: use --store sqlite:FILE"),
    ("mysql://u:plum@h/db", "'mysql' is no store: use sqlite:FILE"),
    ("nyt.db", "'nyt.db' is no store: use sqlite:FILE"),
    ("sqlite::memory:", "'sqlite::memory:' would be gone when the command ends: name a file, or use 'ingest map'"),
    ("sqlite:/dev/null", "'/dev/null' is no regular file: name another"),
    ("", "'' is no store: use sqlite:FILE"), ("sqlite:", "'sqlite:' needs the name of a file"),
  ])
  func `what is no store is refused, without its credentials`(_ text: String, _ message: String) {
    let failure = #expect(throws: StoreAddress.Failure.self) { _ = try StoreAddress.open(text) }
    #expect(failure?.message == message)
  }

  @Test func `a file that cannot be a database is refused and stays as it is`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("text.db", String(repeating: "this is no database\n", count: 100))
    let bytes = try folder.read("text.db")
    let failure = #expect(throws: (any Error).self) {
      let store = try StoreAddress.open("sqlite:" + path)
      try store.prepare(.init(tables: []), allowingLoss: false)
    }
    #expect(failure.map { "\($0)" }?.contains("text.db") == true)
    #expect(try folder.read("text.db") == bytes)
    let ways: [(String) throws -> Void] = [
      { _ = try StoreAddress.open($0) }, { _ = try StoreAddress.openToRead($0) },
      { _ = try StoreAddress.openToPrune($0) }, { _ = try StoreAddress.openExisting($0) },
      { _ = try StoreAddress.openFilled($0) },
    ]
    try StoreAddress.open("sqlite:" + folder.path("whole.db")).prepare(.init(tables: []), allowingLoss: false)
    var damaged = Array(try folder.read("whole.db"))
    for place in 100..<8192 { damaged[place] = 0x55 }
    try Data(damaged).write(to: URL(filePath: folder.path("damaged.db")))
    for open in ways {
      let wrong = #expect(throws: StoreAddress.Failure.self) { try open("sqlite:" + path) }
      #expect(wrong?.isUsage == true)
      let url = "sqlite:" + folder.path("damaged.db")
      let broken = #expect(throws: StoreAddress.Failure.self) { try open(url) }
      #expect(broken?.isUsage == false && broken?.message.contains("is damaged") == true)
    }
    #expect(throws: StoreAddress.Failure.self) { _ = try StoreAddress.open("sqlite:" + folder.path("no/such/x.db")) }
    #expect(throws: StoreAddress.Failure.self) { _ = try StoreAddress.open("sqlite:" + folder.path) }
  }
}
