import Diagnostics
import MappingLanguage
import TestSupport
import Testing

struct BrokenMappingTests {
  /// What other layers report: the YAML reader, the plan's compiler, the runner of tests, the fetching.
  static let reportedElsewhere: Set<DiagnosticCode> = [
    .yamlSyntax, .duplicateKey, .unknownAlias, .yamlLimit, .unknownTimeZone, .unknownParameter,
    .duplicateTable, .duplicateDescriptor, .badConstant, .failingTest, .unreadableFile, .insecure,
    .badProgram, .badSQL, .badAllow, .shadowedPath, .unmatchedPath, .storeLimit,
  ]

  @Test(arguments: try Fixture.all(in: "broken", golden: ["diag"]))
  func `a broken mapping is reported as its golden file says`(_ fixture: Fixture) throws {
    let diagnostics = try Reading.of(fixture).diagnostics
    try fixture.expectGolden(DiagnosticPrinter.text(diagnostics, colour: false), suffix: "diag")
  }

  @Test(arguments: DiagnosticCode.allCases.filter { !reportedElsewhere.contains($0) })
  func `every code of this layer has a fixture that provokes it`(_ code: DiagnosticCode) throws {
    let fixtures = try Fixture.all(in: "broken", golden: ["diag"]).filter { $0.name.hasPrefix(code.rawValue) }
    let provoked = try fixtures.contains { try Reading.of($0).diagnostics.contains { $0.code == code } }
    #expect(provoked)
  }

  @Test(arguments: try Fixture.all(in: "broken", golden: ["diag"]))
  func `findings stand in the order of files and places`(_ fixture: Fixture) throws {
    let (mapping, diagnostics) = try Reading.of(fixture)
    var places: [(file: Int, offset: Int)] = []
    let files = (mapping?.files ?? []).map(\.name)
    var met: [String] = []
    for diagnostic in diagnostics {
      let name = diagnostic.span.file.name
      if !met.contains(name) { met.append(name) }
      places.append((met.firstIndex(of: name) ?? 0, diagnostic.span.start.offset))
    }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
    // Included files come before the main one.
    if let main = files.first, met.contains(main) { #expect(met.last == main) }
  }
}
