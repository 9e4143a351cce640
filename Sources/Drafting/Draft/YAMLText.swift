/// Texts as YAML has them.
enum YAMLText {
  /// The text as it is, where YAML reads it as that text in every place; else in double quotes.
  static func quotedIfNeeded(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  private static func isPlain(_ text: String) -> Bool {
    if text == "." { return true }
    let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: "/"),
      !words.contains(text.lowercased())
    else { return false }
    var rest = text.utf8[...]
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { rest = rest.dropFirst(scheme.utf8.count) }
    return !rest.isEmpty && rest.allSatisfy { isLetter($0) || isDigit($0) || "_/.*$@+-".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where isUnprintable(scalar):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let count = scalar.value < 0x100 ? 2 : scalar.value < 0x10000 ? 4 : 8
        let letter = count == 2 ? "x" : count == 4 ? "u" : "U"
        let padded = String(repeating: "0", count: count - digits.count) + digits
        result.append(contentsOf: "\\\(letter)\(padded)".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return "\"\(String(result))\""
  }

  /// What YAML does not allow as it is, and what would upset a terminal.
  static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// A comment on one line, not too long.
  static func comment(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    let text = LikelySecret.masked(text)
    for scalar in text.unicodeScalars.prefix(300) { line.append(isUnprintable(scalar) ? " " : scalar) }
    return String(line) + (text.unicodeScalars.count > 300 ? "…" : "")
  }
}
