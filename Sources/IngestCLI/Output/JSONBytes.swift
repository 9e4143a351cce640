import Diagnostics

/// JSON strings of values, made byte by byte: the hot path of `map`.
enum JSONBytes {
  /// UTF-8 text as a JSON string; escaped is what JSON demands, and what could upset a terminal.
  static func append(text: UnsafeRawBufferPointer, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\""))
    var rest = text
    while true {
      let plain = plainPrefix(of: rest)
      output.append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
      if plain == rest.count { break }
      let length = append(special: UnsafeRawBufferPointer(rebasing: rest[plain...]), to: output)
      rest = UnsafeRawBufferPointer(rebasing: rest[(plain + length)...])
    }
    output.append(UInt8(ascii: "\""))
  }

  /// The character at the beginning; gives how many bytes it took.
  private static func append(special text: UnsafeRawBufferPointer, to output: OutputBuffer) -> Int {
    if text[0] < 0x7F {
      append(escaped: text[0], to: output)
      return 1
    }
    let length = text[0] < 0x80 ? 1 : text[0] < 0xE0 ? 2 : 3
    // Not more than a terminal would make of it, should it be no UTF-8.
    guard text.count >= length else {
      output.append(text[0])
      return 1
    }
    let lead = length == 1 ? 0x7F : length == 2 ? 0x1F : 0x0F as UInt8
    let value = text[1..<length].reduce(UInt32(text[0] & lead)) { $0 << 6 | UInt32($1 & 0x3F) }
    guard let scalar = Unicode.Scalar(value), VisibleText.isInvisible(scalar) else {
      output.append(UnsafeRawBufferPointer(rebasing: text[..<length]))
      return length
    }
    output.append(UInt8(ascii: "\\"))
    output.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] as [UInt32] { output.append(hexadecimal[Int(value >> shift & 15)]) }
    return length
  }

  /// Bytes beyond ASCII that begin a character that may be escaped, and DEL.
  private static let leads: [UInt64] = [0x7F, 0xC2, 0xD8, 0xE2, 0xEF]

  /// Where the first of `leads` is, from the lowest byte on; 0 bits in all bytes: nowhere.
  @inline(never)
  private static func marks(ofLeadsIn word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return leads.reduce(0) { found, lead in
      let same = word ^ (ones &* lead)
      return found | (same &- ones) & ~same
    }
  }

  /// How many bytes need no escape, found by eight at a time.
  private static func plainPrefix(of text: UnsafeRawBufferPointer) -> Int {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var at = 0
    while at + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
      // The lowest bit that is set is exact; those above it may not be.
      let control = (word &- ones &* 0x20) & ~word
      var found = (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
      // Something that is no printable ASCII.
      if (word | word &+ ones) & highs != 0 { found |= marks(ofLeadsIn: word) & highs }
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < text.count, text[at] >= 0x20, text[at] != UInt8(ascii: "\""), text[at] != UInt8(ascii: "\\") {
      if text[at] >= 0x7F, leads.contains(UInt64(text[at])) { break }
      at += 1
    }
    return at
  }

  private static func append(escaped byte: UInt8, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      output.append("u00")
      output.append(hexadecimal[Int(byte >> 4)])
      output.append(hexadecimal[Int(byte & 15)])
    }
  }

  /// Bytes as a JSON string in base64 (RFC 4648 §4, padded).
  static func append(base64 bytes: UnsafeRawBufferPointer, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\""))
    append(base64Digits: bytes, to: output)
    output.append(UInt8(ascii: "\""))
  }

  static func append(base64Digits bytes: UnsafeRawBufferPointer, to output: OutputBuffer) {
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (16 - 8 * UInt32($1.offset)) }
      for digit in 0..<4 {
        let isPadding = digit > group.count
        output.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)])
      }
    }
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
