import Diagnostics
import Setup
import MappingLanguage
import PlanCompiler
import Records
import Store
import TestSupport
import Testing
import Values

struct StoreAddressTests {
  private func url(_ option: String?, store: String, variables: [Interpolation.Variable] = []) throws -> String {
    let text = "ingest: 1\nsource: {name: demo}\nvariables: {file: {type: text}}\n\(store)"
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
    #expect(throws: StoreAddress.Failure.self) { _ = try StoreAddress.open("sqlite:" + folder.path("no/such/x.db")) }
    #expect(throws: StoreAddress.Failure.self) { _ = try StoreAddress.open("sqlite:" + folder.path) }
  }
}
