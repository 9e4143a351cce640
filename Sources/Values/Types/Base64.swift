import Records

/// base64 and base64url (RFC 4648), with or without padding, and nothing else: no white space within, no mixture of the
/// two alphabets, no bits left over.
enum Base64 {
  static func decode(_ text: Bytes, into arena: ByteArena) -> Bytes? {
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    // Padding, when there is any, fills the last four characters.
    if count < text.count, text.count % 4 != 0 { return nil }
    guard count % 4 != 1 else { return nil }

    let length = count * 3 / 4
    let out = arena.reserve(max(length, 1)).assumingMemoryBound(to: UInt8.self)
    var written = 0
    var bits: UInt32 = 0
    var held = 0
    var plain = false
    var url = false
    for index in 0..<count {
      guard let value = value(of: text[index], &plain, &url) else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        out[written] = UInt8(truncatingIfNeeded: bits >> held)
        written += 1
        bits &= (1 << held) - 1
      }
    }
    guard bits == 0, !(plain && url) else { return nil }
    return Bytes(start: out, count: length)
  }

  @inline(__always) private static func value(of byte: UInt8, _ plain: inout Bool, _ url: inout Bool) -> UInt8? {
    switch byte {
    case 65...90: return byte - 65
    case 97...122: return byte - 71
    case 48...57: return byte + 4
    case UInt8(ascii: "+"), UInt8(ascii: "/"):
      plain = true
      return byte == UInt8(ascii: "+") ? 62 : 63
    case UInt8(ascii: "-"), UInt8(ascii: "_"):
      url = true
      return byte == UInt8(ascii: "-") ? 62 : 63
    default: return nil
    }
  }
}
