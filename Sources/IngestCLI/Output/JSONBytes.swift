/// JSON strings of values, made byte by byte: the hot path of `map`.
enum JSONBytes {
  /// UTF-8 text as a JSON string; only what JSON demands is escaped.
  static func append(text: UnsafeRawBufferPointer, to output: OutputBuffer) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        output.append(UnsafeRawBufferPointer(rebasing: text[start..<at]))
        append(escaped: byte, to: output)
        start = at + 1
      }
      at += 1
    }
    output.append(UnsafeRawBufferPointer(rebasing: text[start..<at]))
    output.append(UInt8(ascii: "\""))
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
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (16 - 8 * UInt32($1.offset)) }
      for digit in 0..<4 {
        let isPadding = digit > group.count
        output.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)])
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
