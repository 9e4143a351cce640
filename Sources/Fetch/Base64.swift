package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(_ bytes: [UInt8]) -> String { String(utf8: encode(bytes)) }

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for offset in 0..<3 { bits = bits << 8 | (offset < group.count ? Int(group[start + offset]) : 0) }
      for place in 0..<4 {
        out.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : 0x3D)
      }
    }
    return out
  }

  /// Padded, of the alphabet with `+` and `/`; nil for anything else.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var out: [UInt8] = []
    var (bits, count, padding) = (0, 0, 0)
    for byte in text {
      if byte == 0x3D {
        padding += 1
      } else if padding > 0 {
        return nil
      }
      guard let digit = padding > 0 ? 0 : alphabet.firstIndex(of: byte) else { return nil }
      (bits, count) = (bits << 6 | digit, count + 1)
      guard count == 4 else { continue }
      out += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
      (bits, count) = (0, 0)
    }
    guard padding <= 2 else { return nil }
    return Array(out.dropLast(padding))
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+/-_".utf8.contains(byte)
  }
}
