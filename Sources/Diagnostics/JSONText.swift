/// Text as JSON writes it.
package enum JSONText {
  /// The text in quotes; control characters are escaped, and so is what a JavaScript source may not hold, or what turns the
  /// direction of a text round.
  package static func quoted(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      // Nearly all texts are written as they are.
      if !bytes.contains(where: mayNeedEscape) { return "\"" + String(decoding: bytes, as: UTF8.self) + "\"" }
      return String(decoding: escaped(bytes), as: UTF8.self)
    }
  }

  /// Bytes that are escaped, or begin a character that may be.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, quote, backslash, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
    default: false
    }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// `text` is valid UTF-8.
  private static func escaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 4 + 2)
    output.append(quote)
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case quote, backslash: output += [backslash, byte]
      case UInt8(ascii: "\n"): output += "\\n".utf8
      case UInt8(ascii: "\r"): output += "\\r".utf8
      case UInt8(ascii: "\t"): output += "\\t".utf8
      case 0..<0x20, 0x7F: output += escape(UInt32(byte))
      // U+0080 to U+009F.
      case 0xC2 where text[index] < 0xA0:
        output += escape(UInt32(text[index]))
        index += 1
      // U+061C.
      case 0xD8 where text[index] == 0x9C:
        output += escape(0x061C)
        index += 1
      // U+200E and U+200F, U+2028 to U+202E, U+2066 to U+2069, U+FEFF.
      case 0xE2 where text[index] & 0xFE == 0x80, 0xEF where text[index] == 0xBB:
        let scalar = UInt32(byte & 0x0F) << 12 | UInt32(text[index] & 0x3F) << 6 | UInt32(text[index + 1] & 0x3F)
        switch scalar {
        case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: output += escape(scalar)
        default: output += [byte, text[index], text[index + 1]]
        }
        index += 2
      default: output.append(byte)
      }
    }
    output.append(quote)
    return output
  }

  private static func escape(_ scalar: UInt32) -> String.UTF8View {
    ("\\u" + VisibleText.hexadecimal(scalar, digits: 4)).utf8
  }
}
