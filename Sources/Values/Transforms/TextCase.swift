import Records

/// Letter case by Unicode, for no language in particular: `Straße` becomes `STRASSE`.
enum TextCase {
  static func lowercase(_ text: Bytes, into arena: ByteArena) -> Bytes {
    if text.allSatisfy({ $0 < 0x80 }) { return ascii(text, arena) { $0 &- 65 < 26 ? $0 | 0x20 : $0 } }
    return arena.copy(String(decoding: text, as: UTF8.self).lowercased())
  }

  static func uppercase(_ text: Bytes, into arena: ByteArena) -> Bytes {
    if text.allSatisfy({ $0 < 0x80 }) { return ascii(text, arena) { $0 &- 97 < 26 ? $0 & 0xDF : $0 } }
    return arena.copy(String(decoding: text, as: UTF8.self).uppercased())
  }

  private static func ascii(_ text: Bytes, _ arena: ByteArena, _ change: (UInt8) -> UInt8) -> Bytes {
    let out = arena.reserve(max(text.count, 1)).assumingMemoryBound(to: UInt8.self)
    for index in 0..<text.count { out[index] = change(text[index]) }
    return Bytes(start: out, count: text.count)
  }
}

extension Bytes {
  /// One space for each run of white space.
  func squeezed(into arena: ByteArena) -> Bytes {
    let out = arena.reserve(Swift.max(count, 1)).assumingMemoryBound(to: UInt8.self)
    var written = 0
    var at = 0
    var isInSpace = false
    while at < count {
      let length = whiteSpace(at: at)
      if length == 0 || !isInSpace {
        out[written] = length == 0 ? self[at] : 0x20
        written += 1
      }
      isInSpace = length > 0
      at += Swift.max(length, 1)
    }
    arena.giveBack(Swift.max(count, 1) - written)
    return Bytes(start: out, count: written)
  }
}
