import Records

/// The four spellings of a UUID: 8-4-4-4-12 or 32 hexadecimal digits, in braces or not.
enum UUIDText {
  /// The spelling that is stored: lower case, with dashes, without braces.
  static func canonical(_ text: Bytes, into arena: ByteArena) -> Bytes? {
    var text = text
    if text.first == UInt8(ascii: "{") {
      guard text.count > 2, text[text.count - 1] == UInt8(ascii: "}") else { return nil }
      text = text.part(1, text.count - 1)
    }
    guard text.count == 36 || text.count == 32 else { return nil }
    let dashed = text.count == 36
    let out = arena.reserve(36).assumingMemoryBound(to: UInt8.self)
    var at = 0
    for index in 0..<36 {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      out[index] = UInt8(ascii: "-")
      if isDash, !dashed { continue }
      let byte = text[at]
      at += 1
      if isDash {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard byte.isDigit || (byte | 0x20) &- 97 < 6 else { return nil }
        out[index] = byte.lowercasedASCII
      }
    }
    return Bytes(start: out, count: 36)
  }
}
