import Foundation
import MappingLanguage
import TestSupport
import Testing

struct ReferencePageTests {
  private static let page = PackageRoot.folder.appendingPathComponent("docs/mapping-language.md")
  private static let begin = "<!-- keys: made from the table of keys by INGEST_RECORD=1 swift test -->\n"
  private static let end = "<!-- end of keys -->"

  @Test func `the reference page has the keys of the table`() throws {
    let text = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
    let begin = try #require(text.range(of: Self.begin))
    let end = try #require(text.range(of: Self.end))
    let fresh = text[..<begin.upperBound] + "\n" + LanguageReference.markdown() + "\n" + text[end.lowerBound...]
    try Golden.expect(String(fresh), at: Self.page)
  }

  @Test func `the example of the reference page has no finding`() throws {
    let text = String(decoding: try Data(contentsOf: Self.page), as: UTF8.self)
    let begin = try #require(text.range(of: "```yaml\n"))
    let end = try #require(text.range(of: "\n```\n", range: begin.upperBound..<text.endIndex))
    _ = try Reading.clean(String(text[begin.upperBound..<end.lowerBound]))
  }
}
