import Diagnostics
import Setup
import PlanCompiler
import Records
import TestSupport
import Testing
import Values

struct LoadedMappingTests {
  private static let text = """
    ingest: 1
    source: {name: demo}
    variables:
      plain: hello
      count: 5
      flag: true
      whole: {type: integer}
      share: {type: real, default: 0.5}
      sum: {type: decimal, default: 1.50}
      day: {type: date, default: 2015-07-04}
      word: {type: text, default: 5}
      yes: {type: boolean}
      at: {type: timestamp}
      early: {type: date, default: 2015-07-01 23:30}
    records: {Item: {key: id, fields: {id: , c: {const: "${count}"}}}}
    endpoints: {e: {path: /e, fetch: false, records: {a: Item}}}
    """

  private func read(_ settings: [(String, String)], _ text: String = text) throws -> LoadedMapping {
    let settings = settings.map { (name: $0.0, value: $0.1) }
    let outcome = try LoadedMapping.read(
      SourceFile(name: "m.yaml", text: text), for: .running(settings: settings, secrets: Secrets()))
    guard let loaded = outcome.loaded else {
      throw FixtureError(DiagnosticPrinter.text(outcome.diagnostics, colour: false))
    }
    return loaded
  }

  @Test(arguments: [
    ("plain", "x y", Literal.text("x y")), ("plain", "5", .text("5")), ("plain", "", .text("")),
    ("plain", "a=b", .text("a=b")),
    ("count", "7", .number("7")), ("count", "1.50", .number("1.50")), ("flag", "false", .boolean(false)),
    ("flag", "Yes", .boolean(true)), ("whole", "-3", .number("-3")), ("share", "1e3", .number("1000.0")),
    ("sum", "0.10", .text("0.10")), ("sum", "1e3", .text("1000")), ("day", "2016-02-29", .text("2016-02-29")),
    ("whole", "7.0", .number("7")), ("whole", "1e3", .number("1000")),
    ("day", "2015-07-02T10:00:00Z", .text("2015-07-02")),
    ("day", " 2016-02-29 ", .text("2016-02-29")), ("at", "2015-07-02T10:00:00+02:00", .text("2015-07-02T08:00:00Z")),
    ("at", "2015-07-02", .text("2015-07-02T00:00:00Z")), ("count", "+5", .number("5")), ("word", "7", .text("7")),
    ("yes", "0", .boolean(false)), ("yes", "T", .boolean(true)),
  ])
  func `a setting takes the type of its variable`(_ name: String, _ text: String, _ expected: Literal) throws {
    let loaded = try read([(name, text)])
    #expect(loaded.scope.variables.first { $0.name == name }?.value == expected)
    #expect(loaded.scope.variables.first { $0.name == "sum" }?.value == (name == "sum" ? expected : .text("1.50")))
    #expect(loaded.scope.variables.first { $0.name == "early" }?.value == .text("2015-07-01"))
  }

  @Test(arguments: [
    ("count", "many"), ("flag", "maybe"), ("whole", "1.5"), ("whole", "99999999999999999999"), ("share", "1e400"),
    ("sum", "x"), ("day", "2015-02-30"), ("yes", "2"),
    ("whole", ""), ("day", " "), ("count", ""), ("flag", ""),
  ])
  func `a setting that its type refuses is a failure that names it`(_ name: String, _ text: String) {
    let failure = #expect(throws: LoadedMapping.Failure.self) { try read([(name, text)]) }
    #expect(failure?.message.contains("--set \(name)=") == true)
  }

  @Test(arguments: [
    ("${other}", "no variable is named 'other'", "declare it under 'variables'"),
    ("a ${other}", "no variable is named 'other'", "declare it under 'variables'"),
    (
      "${env.INGEST_TEST_NOTHING}", "'env.INGEST_TEST_NOTHING' has no value",
      "set INGEST_TEST_NOTHING in the environment"
    ),
    ("${word}", "'word' has no value", "use --set word=…"),
  ])
  func `what has no value is said once, with what gives it one`(_ value: String, _ message: String, _ hint: String)
    throws
  {
    for path in ["/e", "/e/\(value)/x"] {
      let text = """
        ingest: 1
        source: {name: demo}
        variables: {word: }
        records: {Item: {key: id, fields: {id: , c: {const: "\(value)"}}}}
        endpoints: {e: {path: "\(path)", fetch: false, records: {a: Item}}}
        """
      let outcome = try LoadedMapping.read(
        SourceFile(name: "m.yaml", text: text), for: .running(settings: [], secrets: Secrets()))
      let errors = outcome.diagnostics.filter { $0.severity == .error }
      let isUnknown = message.hasPrefix("no")
      #expect(errors.count == (isUnknown && path != "/e" ? 2 : 1))
      #expect(errors.allSatisfy { $0.message == message && $0.hint == hint })
    }
  }

  @Test func `a setting that no variable has is a failure that names those there are`() {
    let failure = #expect(throws: LoadedMapping.Failure.self) { try read([("plian", "x")]) }
    #expect(failure?.message.contains("'plian'") == true && failure?.message.contains("'plain'") == true)
    let none = #expect(throws: LoadedMapping.Failure.self) {
      try read([("x", "y")], "ingest: 1\nsource: {name: demo}\n")
    }
    #expect(none?.message == "--set names the variable 'x', which the mapping does not have")
  }

  @Test func `the last of two settings counts, and constants take it`() throws {
    let loaded = try read([("count", "6"), ("count", "8")])
    guard case .constant(let constant) = loaded.plan.rows[0].fields[1].source else {
      Issue.record("no constant")
      return
    }
    #expect(constant.cell.stringValue == "8" || constant.cell.integerValue == 8)
  }

  @Test func `checking needs no variable, secret or environment`() throws {
    let text = """
      ingest: 1
      source: {name: demo, base_url: "https://${env.NOWHERE}/", headers: {X: "${secret.NOWHERE}"}}
      variables: {open: {type: integer}}
      records: {Item: {key: id, fields: {id: , c: {const: "${open}"}}}}
      endpoints: {e: {path: "/${open}/e", records: {a: Item}}}
      """
    let outcome = try LoadedMapping.read(SourceFile(name: "m.yaml", text: text), for: .checking)
    #expect(outcome.loaded != nil)
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test func `findings of the reader and of the compiler come together, in order, none twice`() throws {
    let text = """
      ingest: 1
      source: {name: demo}
      variables: {word: abc}
      records:
        Item: {key: id, fields: {id: , a: {type: integer, default: x}, b: {const: "${word:yyyy}"}}}
        Lost: {key: id, fields: [id]}
      endpoints: {e: {path: /e, fetch: false, records: {a: Itme}, methd: GET}}
      """
    let outcome = try LoadedMapping.read(SourceFile(name: "m.yaml", text: text), for: .checking)
    #expect(outcome.loaded == nil)
    #expect(
      outcome.diagnostics.map(\.code).filter { $0 != .unused } == [
        .badConstant, .badInterpolation, .unknownRecord, .unknownKey,
      ])
  }

  @Test func `a file that is not there is a failure that names it`() {
    let failure = #expect(throws: LoadedMapping.Failure.self) {
      try LoadedMapping.read("no/such/file.yaml", for: .checking)
    }
    #expect(failure?.message.contains("no/such/file.yaml") == true)
    let folder = #expect(throws: LoadedMapping.Failure.self) { try LoadedMapping.read("/", for: .checking) }
    #expect(folder?.message.contains("cannot be read") == true)
  }

  @Test func `a folder's names are sorted by their bytes`() throws {
    let folder = try TemporaryFolder()
    for name in ["b.yaml", "a.yaml", "é.yaml", "Z.yaml"] { try folder.write(name, "") }
    #expect(FileText.names(in: folder.path) == ["Z.yaml", "a.yaml", "b.yaml", "é.yaml"])
    #expect(FileText.names(in: folder.path("none")) == nil)
    #expect(FileText.isFolder(folder.path) && !FileText.isFolder(folder.path("a.yaml")))
    #expect(FileText.isReadableFile(folder.path("a.yaml")) && !FileText.isReadableFile(folder.path("none")))
  }

  @Test func `no more of a file is kept than the caller can take`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("large", String(repeating: "x", count: 300_000))
    guard case .bytes(let some) = FileText.read(path, limit: 100_000), case .bytes(let all) = FileText.read(path) else {
      Issue.record("not read")
      return
    }
    #expect(some.count > 99_999 && some.count < 200_000 && all.count == 300_000)
  }
}
