import Diagnostics

/// Names and texts as PostgreSQL's SQL writes them.
enum SQLText {
  static func quoted(_ name: String) -> String { enclosed(name, in: UInt8(ascii: "\"")) }

  static func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

  /// What could upset a terminal is written by its number.
  static func literal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isNumbered) else { return enclosed(text, in: UInt8(ascii: "'")) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" {
        escaped += "\\\\"
      } else if isNumbered(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return "E" + enclosed(escaped, in: UInt8(ascii: "'"))
  }

  private static func isNumbered(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "\n" && scalar != "\t" && VisibleText.isInvisible(scalar)
  }

  private static func enclosed(_ text: String, in mark: UInt8) -> String {
    var bytes: [UInt8] = [mark]
    for byte in text.utf8 {
      if byte == mark { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(mark)
    return String(decoding: bytes, as: UTF8.self)
  }
}
