import Records

/// Bytes that are lent: a text in UTF-8, or a part of one.
typealias Bytes = UnsafeRawBufferPointer

extension Bytes {
  /// The bytes from `start` up to and without `end`.
  @inline(__always) func part(_ start: Int, _ end: Int) -> Bytes { Bytes(rebasing: self[start..<end]) }

  func equals(_ other: [UInt8]) -> Bool { count == other.count && elementsEqual(other) }

  /// The same letters, ASCII case aside; `lowercase` holds no upper case letter.
  func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
    guard count == lowercase.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].lowercasedASCII != lowercase.utf8Start[index] { return false }
    return true
  }

  /// The order of their bytes, which is the order of their code points: negative, zero or positive.
  static func order(_ a: Bytes, _ b: Bytes) -> Int {
    for index in 0..<Swift.min(a.count, b.count) where a[index] != b[index] {
      return Int(a[index]) - Int(b[index])
    }
    return a.count - b.count
  }

  /// How many code points a text has.
  var codePointCount: Int {
    var count = 0
    for byte in self where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}

extension UInt8 {
  @inline(__always) var isDigit: Bool { self &- 48 < 10 }
  @inline(__always) var isASCIILetter: Bool { (self | 0x20) &- 97 < 26 }
  @inline(__always) var lowercasedASCII: UInt8 { self &- 65 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit.
  var hexValue: UInt8? {
    switch self {
    case 48...57: self - 48
    case 65...70: self - 55
    case 97...102: self - 87
    default: nil
    }
  }
}

extension ByteArena {
  /// A copy of `bytes` that lives as long as the arena.
  func copy(_ bytes: [UInt8]) -> Bytes { bytes.withUnsafeBytes { copy($0) } }
}
