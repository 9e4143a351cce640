import Diagnostics
import MarkedYAML
package import Values

/// Values as they are written in YAML.
package enum YAMLText {
  /// What a text means where a value is expected, in a flow collection as in a block; nil when it is not one value. A
  /// list or a map is its JSON text.
  package static func value(_ text: String) -> Literal? {
    let (root, findings) = YAMLReader.read(SourceFile(name: "", text: "[" + text + "]"))
    guard findings.isEmpty, case .sequence(let items)? = root?.content, items.count == 1,
      items[0].span.start.offset == 1, items[0].span.end.offset == text.utf8.count + 1
    else { return nil }
    return items[0].scalar?.value.literal ?? .text(items[0].jsonText)
  }

  package static func singleQuoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }

  package static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isInvisible(scalar):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Control characters, line breaks of Unicode, and the byte order mark: YAML takes them in escapes only, or people
  /// would not see them. All have four digits at most.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
