import Records

/// `url_decode`: `%` and two hexadecimal digits are a byte. A `%` without them stays, and so does `+`.
enum PercentEncoding {
  /// Nil when what comes out is not UTF-8.
  static func decode(_ text: Bytes, into arena: ByteArena) -> Bytes? {
    guard text.contains(UInt8(ascii: "%")) else { return text }
    let out = arena.reserve(text.count).assumingMemoryBound(to: UInt8.self)
    var written = 0
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "%"), at + 2 < text.count, let high = text[at + 1].hexValue,
        let low = text[at + 2].hexValue
      {
        out[written] = high << 4 | low
        at += 3
      } else {
        out[written] = text[at]
        at += 1
      }
      written += 1
    }
    arena.giveBack(text.count - written)
    let decoded = Bytes(start: out, count: written)
    return String(validating: decoded, as: UTF8.self) == nil ? nil : decoded
  }
}
