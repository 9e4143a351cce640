import Diagnostics
import Foundation
import TestSupport
import Testing

struct DiagnosticReferencePageTests {
  private static let page = PackageRoot.folder.appendingPathComponent("docs/diagnostics.md")
  private static let begin = "<!-- codes: made from the explanations by INGEST_RECORD=1 swift test -->\n"

  @Test func `the page has what 'ingest explain' says`() throws {
    let text = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
    let begin = try #require(text.range(of: Self.begin))
    try Golden.expect(text[..<begin.upperBound] + "\n" + DiagnosticReference.markdown(), at: Self.page)
  }

  @Test(arguments: DiagnosticCode.allCases)
  func `an explanation is worded as the others`(_ code: DiagnosticCode) {
    let explanation = code.explanation
    for text in [explanation.meaning, explanation.remedy] { #expect(text.hasSuffix(".") && !text.hasPrefix(" ")) }
    #expect(code.rawValue.allSatisfy { $0 == "-" || $0.isLowercase })
    let lines = explanation.text(of: code).split(separator: "\n")
    #expect(lines.first == "\(code.rawValue) (\(explanation.severity.rawValue))")
    #expect(lines.filter { $0.count > 100 && !$0.hasPrefix("    ") } == [])
  }
}
