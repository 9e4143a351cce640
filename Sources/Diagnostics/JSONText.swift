/// Text as JSON writes it.
package enum JSONText {
  /// The text in quotes; control characters are escaped, and so is what a JavaScript source may not hold.
  package static func quoted(_ text: String) -> String {
    var output = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output.append(contentsOf: "\\\"".unicodeScalars)
      case "\\": output.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": output.append(contentsOf: "\\n".unicodeScalars)
      case "\r": output.append(contentsOf: "\\r".unicodeScalars)
      case "\t": output.append(contentsOf: "\\t".unicodeScalars)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        output.append(contentsOf: ("\\u" + VisibleText.hexadecimal(scalar.value, digits: 4)).unicodeScalars)
      default: output.append(scalar)
      }
    }
    output.append("\"")
    return String(output)
  }
}
