/// One scalar of UTF-8, by the rules: shortest form, no surrogate, none beyond U+10FFFF.
enum UTF8Scalar {
  static func read(_ bytes: [UInt8], at offset: Int) -> (scalar: UInt32, length: Int)? {
    let (length, lowest, first): (Int, UInt32, UInt32)
    let lead = bytes[offset]
    switch lead {
    case 0xC2...0xDF: (length, lowest, first) = (2, 0x80, UInt32(lead & 0x1F))
    case 0xE0...0xEF: (length, lowest, first) = (3, 0x800, UInt32(lead & 0x0F))
    case 0xF0...0xF4: (length, lowest, first) = (4, 0x1_0000, UInt32(lead & 0x07))
    default: return nil
    }
    guard offset + length <= bytes.count else { return nil }
    var scalar = first
    for byte in bytes[(offset + 1)..<(offset + length)] {
      guard byte & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    guard scalar >= lowest, Unicode.Scalar(scalar) != nil else { return nil }
    return (scalar, length)
  }
}
