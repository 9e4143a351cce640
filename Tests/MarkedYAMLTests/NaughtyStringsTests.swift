import Foundation
import MarkedYAML
import Testing

@Suite(.enabled(if: Corpora.place("naughty-strings.json") != nil, "the corpora are not beside the repository"))
struct NaughtyStringsTests {
  @Test func `every naughty string comes through as a key and as a value, byte for byte`() throws {
    let file = try #require(Corpora.place("naughty-strings.json"))
    let strings = try JSONDecoder().decode([String].self, from: Data(contentsOf: file))
    try #require(!strings.isEmpty)
    for string in strings {
      let single = "'" + string.replacing("'", with: "''") + "'"
      let isPrintable = string.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      for quoted in isPrintable ? [double(string), single] : [double(string)] {
        let outline = Outline("{? \(quoted) : \(quoted)}")
        guard case .mapping(let entries) = outline.root?.content, let entry = entries.first,
          case .scalar(let value) = entry.value.content
        else {
          Issue.record("\(string.debugDescription): \(outline.findings)")
          continue
        }
        #expect(entry.key.text.utf8.elementsEqual(string.utf8), "\(string.debugDescription)")
        #expect(value.text.utf8.elementsEqual(string.utf8), "\(string.debugDescription)")
        #expect(value.core == .text)
      }
    }
  }

  /// In double quotes, with no more escapes than must be.
  private func double(_ string: String) -> String {
    let escaped = string.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\0"..."\u{1F}": "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
