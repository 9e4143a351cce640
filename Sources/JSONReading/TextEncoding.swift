/// How a body's text is written in bytes.
enum TextEncoding: Hashable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)

  /// The encoding that a content type's charset names; nil when it cannot be read. Without a byte order mark, `utf-16`
  /// and `utf-32` are big endian (RFC 2781).
  init?(charset: String) {
    switch charset {
    case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
    case "utf-16", "utf16", "utf-16be", "utf16be": self = .utf16(isBigEndian: true)
    case "utf-16le", "utf16le": self = .utf16(isBigEndian: false)
    case "utf-32", "utf32", "utf-32be", "utf32be": self = .utf32(isBigEndian: true)
    case "utf-32le", "utf32le": self = .utf32(isBigEndian: false)
    default: return nil
    }
  }

  /// The encoding that a byte order mark tells, and the mark's length.
  static func marked(_ start: [UInt8]) -> (TextEncoding, length: Int)? {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if start.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
    if start.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    return nil
  }

  /// Moves what is whole in `raw` to `text` as UTF-8 and leaves the rest. False: there is something that is no character;
  /// what comes before it was moved.
  func decode(_ raw: inout [UInt8], isEnd: Bool, into text: inout [UInt8]) -> Bool {
    var at = 0
    var isGood = true
    loop: while isGood {
      switch scalar(raw, at) {
      case .cut: break loop
      case .none: isGood = false
      case .some(let scalar, let length):
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        at += length
      }
    }
    raw.removeFirst(at)
    return isGood && !(isEnd && !raw.isEmpty)
  }

  private enum Found {
    case some(Unicode.Scalar, length: Int)
    /// No character.
    case none
    /// The bytes end before the character does.
    case cut
  }

  private func scalar(_ raw: [UInt8], _ at: Int) -> Found {
    switch self {
    case .utf8: preconditionFailure("UTF-8 is checked, not decoded")
    case .utf32(let isBigEndian):
      guard at + 4 <= raw.count else { return .cut }
      return Unicode.Scalar(Self.unit(raw, at, 4, isBigEndian)).map { .some($0, length: 4) } ?? .none
    case .utf16(let isBigEndian):
      guard at + 2 <= raw.count else { return .cut }
      let first = Self.unit(raw, at, 2, isBigEndian)
      if let scalar = Unicode.Scalar(first) { return .some(scalar, length: 2) }
      guard first < 0xDC00 else { return .none }
      guard at + 4 <= raw.count else { return .cut }
      let second = Self.unit(raw, at + 2, 2, isBigEndian)
      guard second >= 0xDC00, second < 0xE000 else { return .none }
      let value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
      return Unicode.Scalar(value).map { .some($0, length: 4) } ?? .none
    }
  }

  private static func unit(_ raw: [UInt8], _ at: Int, _ size: Int, _ isBigEndian: Bool) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<size { value = value << 8 | UInt32(raw[at + (isBigEndian ? index : size - 1 - index)]) }
    return value
  }
}
