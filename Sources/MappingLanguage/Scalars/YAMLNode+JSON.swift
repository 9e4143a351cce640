package import MarkedYAML
import Values

extension YAMLNode {
  /// The value as JSON text without white space: what a body that is written into a mapping means.
  ///
  /// Depth is bounded by the YAML reader. A number keeps its digits; only what JSON forbids (`+1`, `.5`, `5.`) is mended.
  package var jsonText: String {
    switch content {
    case .scalar(let scalar): scalar.jsonText
    case .sequence(let items): "[" + items.map(\.jsonText).joined(separator: ",") + "]"
    case .mapping(let entries):
      "{" + entries.map { JSONWriting.quoted($0.key.text) + ":" + $0.value.jsonText }.joined(separator: ",") + "}"
    }
  }
}

extension YAMLScalar {
  var jsonText: String {
    switch core {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer, .real: JSONWriting.number(text)
    case .text: JSONWriting.quoted(text)
    }
  }

  /// The scalar as a constant.
  var literal: Literal {
    switch core {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .integer, .real: .number(text)
    case .text: .text(text)
    }
  }

  var isNull: Bool { core == .null }
}

private enum JSONWriting {
  static func number(_ text: String) -> String {
    var digits = text.utf8[...]
    var result = ""
    if digits.first == UInt8(ascii: "-") { result = "-" }
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    if digits.first == UInt8(ascii: ".") { result += "0" }
    guard let dot = digits.firstIndex(of: UInt8(ascii: ".")) else { return result + String(Substring(digits)) }
    let fraction = digits[digits.index(after: dot)...]
    let isDigit = fraction.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    if isDigit { return result + String(Substring(digits)) }
    return result + String(Substring(digits[..<dot])) + String(Substring(fraction))
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
