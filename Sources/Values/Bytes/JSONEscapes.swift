import Records

/// JSON's escapes, in a text whose grammar was checked when it was read.
enum JSONEscapes {
  /// The text between a string's quotes, its escapes decoded. What is no escape is kept as it is.
  static func decode(_ text: Bytes, into arena: ByteArena) -> Bytes {
    // No escape is shorter than what it stands for.
    let out = arena.reserve(max(text.count, 1)).assumingMemoryBound(to: UInt8.self)
    var written = 0
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte != UInt8(ascii: "\\") || at + 1 >= text.count {
        out[written] = byte
        written += 1
        at += 1
      } else if text[at + 1] == UInt8(ascii: "u"), let (scalar, length) = scalar(in: text, at: at) {
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          out[written] = unit
          written += 1
        }
        at += length
      } else {
        out[written] = single(text[at + 1])
        written += 1
        at += 2
      }
    }
    arena.giveBack(max(text.count, 1) - written)
    return Bytes(start: out, count: written)
  }

  private static func single(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "t"): 9
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "r"): 13
    default: letter
    }
  }

  /// The scalar of `\uXXXX`, or of a pair of them, and how many bytes it took. A lone surrogate is no text: readers
  /// refuse it before.
  private static func scalar(in text: Bytes, at start: Int) -> (Unicode.Scalar, Int)? {
    guard let high = unit(in: text, at: start) else { return nil }
    if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
    guard high < 0xDC00, let low = unit(in: text, at: start + 6), low >= 0xDC00, low < 0xE000 else {
      return ("\u{FFFD}", 6)
    }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).map { ($0, 12) }
  }

  private static func unit(in text: Bytes, at start: Int) -> UInt32? {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var value: UInt32 = 0
    for index in start + 2..<start + 6 {
      guard let digit = text[index].hexValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
