import Records

/// JSON as a column stores it.
enum JSONText {
  /// A valid JSON text without the white space between its tokens, otherwise verbatim.
  static func minified(_ text: Bytes, into arena: ByteArena) -> Bytes {
    guard hasSpace(text) else { return text }
    let out = arena.reserve(text.count).assumingMemoryBound(to: UInt8.self)
    var written = 0
    var at = 0
    while at < text.count {
      let end = text[at] == UInt8(ascii: "\"") ? endOfString(in: text, from: at) : at + 1
      if text[at] > 0x20 {
        while at < end {
          out[written] = text[at]
          written += 1
          at += 1
        }
      }
      at = end
    }
    arena.giveBack(text.count - written)
    return Bytes(start: out, count: written)
  }

  /// Is there white space outside of strings?
  private static func hasSpace(_ text: Bytes) -> Bool {
    var at = 0
    while at < text.count {
      if text[at] <= 0x20 { return true }
      at = text[at] == UInt8(ascii: "\"") ? endOfString(in: text, from: at) : at + 1
    }
    return false
  }

  /// Behind the quote that closes the string.
  private static func endOfString(in text: Bytes, from quote: Int) -> Int {
    var at = quote + 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(at + 1, text.count)
  }

  /// Appends `text` as a JSON string, with the escapes that JSON demands and no other.
  static func appendQuoted(_ text: Bytes, to out: inout [UInt8]) {
    let hex = Array("0123456789abcdef".utf8)
    out.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 8: out += Array("\\b".utf8)
      case 9: out += Array("\\t".utf8)
      case 10: out += Array("\\n".utf8)
      case 12: out += Array("\\f".utf8)
      case 13: out += Array("\\r".utf8)
      case 0..<0x20: out += Array("\\u00".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Appends a value as JSON: its source if it has one, minified.
  static func append(_ value: RawValue, to out: inout [UInt8], arena: ByteArena) {
    switch value.kind {
    case .null: out += Array("null".utf8)
    case .boolean: out += Array((value.flag ? "true" : "false").utf8)
    case .number: out += Array(value.text)
    case .structure: out += Array(minified(value.text, into: arena))
    case .text: if value.source.isEmpty { appendQuoted(value.text, to: &out) } else { out += Array(value.source) }
    }
  }

  /// A value as JSON text.
  static func text(of value: RawValue, into arena: ByteArena) -> Bytes {
    switch value.kind {
    case .structure: return minified(value.text, into: arena)
    case .number: return value.text
    case .text where !value.source.isEmpty: return value.source
    case .null, .boolean, .text:
      var out: [UInt8] = []
      append(value, to: &out, arena: arena)
      return arena.copy(out)
    }
  }
}
