/// Makes text from outside safe to show.
package enum TextEscaping {
  /// Control characters, line ends and what reorders text become `\n`, `\r`, `\u{1B}`; a tab stays.
  ///
  /// Escaping twice is escaping once. It is for people: a backslash stays as it is.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      switch scalar {
      case _ where !isUnsafe(scalar): line.unicodeScalars.append(scalar)
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      default: line += "\\u{\(hexadecimal(scalar.value, digits: 2))}"
      }
    }
  }

  /// A JSON string, quotes included: what JSON demands is escaped, and all that `line(_:)` escapes.
  package static func jsonString(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where isUnsafe(scalar): json += "\\u" + hexadecimal(scalar.value, digits: 4)
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// Of these, none is above U+FFFF.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
