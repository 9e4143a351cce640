import Values

/// Writes JSON for the context of rejections.
enum JSONText {
  /// A text, with the escapes that JSON demands.
  static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    text.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: text += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  static func append(_ raw: RawValue, to text: inout [UInt8]) {
    switch raw.kind {
    case .null: text += Array("null".utf8)
    case .boolean: text += Array((raw.flag ? "true" : "false").utf8)
    case .number, .structure: text += Array(raw.text)
    case .text: append(raw.text, to: &text)
    }
  }
}
