import Diagnostics
import PlanCompiler
import TestSupport
import Testing

/// What the compiler finds, with places. Fixtures are read without an error of the mapping's reader.
struct BrokenPlanTests {
  /// Codes that the compiler reports.
  static let ownCodes: [DiagnosticCode] = [
    .badIdentity, .unknownParameter, .duplicateDescriptor, .unused, .badConstant, .badInterpolation, .badDatePattern,
    .unknownTimeZone, .badRegularExpression, .badValue, .duplicateTable, .duplicateColumn, .badRelationship,
    .badProgram, .shadowedPath, .storeLimit,
  ]

  @Test(arguments: try Fixture.all(in: "broken", golden: ["diag"]))
  func `a mapping that cannot be compiled is reported as its golden file says`(_ fixture: Fixture) throws {
    let (plan, diagnostics, _) = Compiling.of(try fixture.text, named: fixture.fileName)
    #expect((plan == nil) == diagnostics.containsErrors)
    try fixture.expectGolden(DiagnosticPrinter.text(diagnostics, colour: false), suffix: "diag")
  }

  @Test(arguments: ownCodes)
  func `every code of the compiler has a fixture that provokes it`(_ code: DiagnosticCode) throws {
    let fixture = Fixture("broken/\(code.rawValue).yaml")
    let own = Compiling.of(try fixture.text, named: fixture.fileName).ownDiagnostics
    #expect(own.contains { $0.code == code })
  }

  @Test(arguments: try Fixture.all(in: "broken", golden: ["diag"]))
  func `findings have a place within their file, in order`(_ fixture: Fixture) throws {
    let own = Compiling.of(try fixture.text, named: fixture.fileName).ownDiagnostics
    #expect(!own.isEmpty)
    let offsets = own.map(\.span.start.offset)
    #expect(offsets == offsets.sorted())
    for finding in own {
      #expect(finding.span.start.offset < finding.span.end.offset, "\(finding.message)")
      #expect(finding.message.first?.isUppercase == false && !finding.message.hasSuffix("."))
    }
  }
}
