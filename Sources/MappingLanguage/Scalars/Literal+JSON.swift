package import Values

extension Literal {
  /// As JSON. A number keeps its digits; only what JSON forbids (`+1`, `.5`, `5.`) is mended.
  package var jsonText: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let text): JSONWriting.number(text)
    case .text(let text): JSONWriting.quoted(text)
    }
  }
}

/// JSON as it is written here.
enum JSONWriting {
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
