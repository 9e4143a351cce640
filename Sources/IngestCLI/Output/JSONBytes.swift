/// JSON strings of values, made byte by byte: the hot path of `map`.
enum JSONBytes {
  /// UTF-8 text as a JSON string; only what JSON demands is escaped.
  static func append(text: UnsafeRawBufferPointer, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\""))
    var rest = text
    while true {
      let plain = plainPrefix(of: rest)
      output.append(UnsafeRawBufferPointer(rebasing: rest[..<plain]))
      if plain == rest.count { break }
      append(escaped: rest[plain], to: output)
      rest = UnsafeRawBufferPointer(rebasing: rest[(plain + 1)...])
    }
    output.append(UInt8(ascii: "\""))
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
      let found = (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < text.count, text[at] >= 0x20, text[at] != UInt8(ascii: "\""), text[at] != UInt8(ascii: "\\") { at += 1 }
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
