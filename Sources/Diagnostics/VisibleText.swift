/// Text of the user's that is shown on a terminal: nothing in it may move the cursor or turn the direction round.
package enum VisibleText {
  /// The text with control characters as `\u{1B}`, and so those that change the direction or break the line.
  package static func escaped(_ text: String, keepingTabs: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isInvisible($0) }) else { return text }
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isInvisible(scalar), !(keepingTabs && scalar == "\t") {
        output.append(contentsOf: "\\u{\(hexadecimal(scalar.value))}".unicodeScalars)
      } else {
        output.append(scalar)
      }
    }
    return String(output)
  }

  static func hexadecimal(_ value: UInt32, digits: Int = 1) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Does it move the cursor, break the line, or turn the direction round?
  package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
