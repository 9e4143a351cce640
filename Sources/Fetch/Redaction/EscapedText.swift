/// Reads text that was escaped, perhaps several times over: each time in percent-encoding, as in JSON or as in HTML.
struct EscapedText {
  struct Kinds: OptionSet, Sendable {
    let rawValue: Int
    static let percent = Kinds(rawValue: 1)
    static let json = Kinds(rawValue: 2)
    static let html = Kinds(rawValue: 4)
    static let all: Kinds = [.percent, .json, .html]
  }

  /// What a byte or an escape stands for: one byte, or a character in UTF-8; and how much of the text it takes.
  struct Unit {
    var bytes: [4 of UInt8]
    var count: Int
    var length: Int

    init(byte: UInt8, length: Int) {
      bytes = [byte, 0, 0, 0]
      count = 1
      self.length = length
    }

    init(_ scalar: Unicode.Scalar, length: Int) {
      bytes = [0, 0, 0, 0]
      count = 0
      for byte in UTF8.encode(scalar).unsafelyUnwrapped {
        bytes[count] = byte
        count += 1
      }
      self.length = length
    }

    func isByte(_ byte: UInt8) -> Bool { count == 1 && bytes[0] == byte }
    var byte: UInt8? { count == 1 ? bytes[0] : nil }
  }

  let text: [UInt8]
  let kinds: Kinds

  static func canBeginEscape(_ byte: UInt8) -> Bool { byte == 0x25 || byte == 0x5C || byte == 0x26 }

  /// The end of `wanted`, when it stands at the place, escaped so many times at most.
  func end(of wanted: [UInt8], at start: Int, depth: Int) -> Int? {
    var (place, index) = (0, start)
    while place < wanted.count {
      guard let unit = unit(at: index, depth: depth) else { return nil }
      if !(wanted[place] == 0x20 && unit.isByte(0x2B) && kinds.contains(.percent)) {
        guard place + unit.count <= wanted.count else { return nil }
        for offset in 0..<unit.count where wanted[place + offset] != unit.bytes[offset] { return nil }
      }
      place += unit.count
      index += unit.length
    }
    return index
  }

  /// Nil behind the end.
  private func unit(at index: Int, depth: Int) -> Unit? {
    guard index < text.count else { return nil }
    guard depth > 0, Self.canBeginEscape(text[index]) else { return Unit(byte: text[index], length: 1) }
    // Escapes of one time are written in what the times before have made.
    guard let first = unit(at: index, depth: depth - 1) else { return nil }
    let escape: Unit? =
      switch first.byte {
      case 0x25 where kinds.contains(.percent): percent(behind: first, at: index, depth - 1)
      case 0x5C where kinds.contains(.json): json(behind: first, at: index, depth - 1)
      case 0x26 where kinds.contains(.html): html(behind: first, at: index, depth - 1)
      default: nil
      }
    return escape ?? first
  }

  private func percent(behind first: Unit, at index: Int, _ depth: Int) -> Unit? {
    guard let (value, length) = hex(2, at: index + first.length, depth) else { return nil }
    return Unit(byte: UInt8(value), length: first.length + length)
  }

  private func hex(_ count: Int, at start: Int, _ depth: Int) -> (value: UInt32, length: Int)? {
    var (value, index) = (UInt32(0), start)
    for _ in 0..<count {
      guard let unit = unit(at: index, depth: depth), let digit = unit.byte.flatMap(ASCII.hexValue) else { return nil }
      value = value << 4 | UInt32(digit)
      index += unit.length
    }
    return (value, index - start)
  }

  private func json(behind first: Unit, at index: Int, _ depth: Int) -> Unit? {
    guard let kind = unit(at: index + first.length, depth: depth), let letter = kind.byte else { return nil }
    let length = first.length + kind.length
    switch letter {
    case 0x22, 0x2F, 0x5C: return Unit(byte: letter, length: length)
    case 0x62: return Unit(byte: 0x08, length: length)
    case 0x66: return Unit(byte: 0x0C, length: length)
    case 0x6E: return Unit(byte: 0x0A, length: length)
    case 0x72: return Unit(byte: 0x0D, length: length)
    case 0x74: return Unit(byte: 0x09, length: length)
    case 0x75:
      guard let (value, digits) = hex(4, at: index + length, depth) else { return nil }
      if let scalar = Unicode.Scalar(value) { return Unit(scalar, length: length + digits) }
      return pair(value, at: index, length + digits, depth)
    default: return nil
    }
  }

  /// A character of two units of UTF-16.
  private func pair(_ high: UInt32, at index: Int, _ length: Int, _ depth: Int) -> Unit? {
    guard high < 0xDC00, let backslash = unit(at: index + length, depth: depth), backslash.isByte(0x5C),
      let letter = unit(at: index + length + backslash.length, depth: depth), letter.isByte(0x75)
    else { return nil }
    let behind = length + backslash.length + letter.length
    guard let (low, digits) = hex(4, at: index + behind, depth), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return Unit(scalar, length: behind + digits)
  }

  private static let named: [(name: [UInt8], byte: UInt8)] = [
    (Array("amp".utf8), 0x26), (Array("lt".utf8), 0x3C), (Array("gt".utf8), 0x3E), (Array("quot".utf8), 0x22),
    (Array("apos".utf8), 0x27), (Array("sol".utf8), 0x2F), (Array("nbsp".utf8), 0x20),
  ]

  private func html(behind first: Unit, at index: Int, _ depth: Int) -> Unit? {
    var name: [UInt8] = []
    var length = first.length
    // "#x0010FFFF" is the longest that makes sense.
    while name.count <= 10 {
      guard let unit = unit(at: index + length, depth: depth), let byte = unit.byte else { return nil }
      length += unit.length
      if byte == 0x3B { return Self.character(name, length) }
      guard byte == 0x23 || ASCII.isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF) else { return nil }
      name.append(byte)
    }
    return nil
  }

  private static func character(_ name: [UInt8], _ length: Int) -> Unit? {
    guard name.first == 0x23 else {
      return named.first { $0.name == name }.map { Unit(byte: $0.byte, length: length) }
    }
    let isHex = name.dropFirst().first.map { $0 | 0x20 } == 0x78
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard let value = UInt32(String(utf8: Array(digits)), radix: isHex ? 16 : 10) else { return nil }
    return Unicode.Scalar(value).map { Unit($0, length: length) }
  }
}
