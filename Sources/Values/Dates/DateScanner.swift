/// Goes through a text that should be a date, from left to right; nothing is tried twice.
struct DateScanner {
  let text: Bytes
  var at: Int

  var isAtEnd: Bool { at == text.count }
  var rest: Bytes { text.part(at, text.count) }

  /// Passes `byte` if it comes next.
  @inline(__always) mutating func skip(_ byte: UInt8) -> Bool {
    guard at < text.count, text[at] == byte else { return false }
    at += 1
    return true
  }

  mutating func skip(_ bytes: [UInt8]) -> Bool {
    guard text.count - at >= bytes.count else { return false }
    for (index, byte) in bytes.enumerated() where text[at + index] != byte { return false }
    at += bytes.count
    return true
  }

  /// Exactly `count` digits.
  @inline(__always) mutating func digits(_ count: Int) -> Int? {
    guard text.count - at >= count else { return nil }
    var value = 0
    for index in at..<at + count {
      guard text[index].isDigit else { return nil }
      value = value * 10 + Int(text[index] - 48)
    }
    at += count
    return value
  }

  /// As many digits as there are, but no more than `most`.
  mutating func digits(upTo most: Int) -> (value: Int, count: Int)? {
    var value = 0
    let start = at
    while at < text.count, at - start < most, text[at].isDigit {
      value = value * 10 + Int(text[at] - 48)
      at += 1
    }
    return at == start ? nil : (value, at - start)
  }

  /// The digits of a fraction in nanoseconds; negative when there are more than nine.
  mutating func fraction() -> Int? {
    guard let (value, count) = digits(upTo: 9) else { return nil }
    if at < text.count, text[at].isDigit { return -1 }
    return value * Self.scale[9 - count]
  }

  static let scale = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]

  /// `Z`, `±hh`, `±hhmm` or `±hh:mm`, in seconds.
  mutating func offset() -> Int? {
    guard at < text.count else { return nil }
    let sign = text[at]
    if sign | 0x20 == UInt8(ascii: "z") {
      at += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    at += 1
    guard let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if skip(UInt8(ascii: ":")) {
      guard let read = digits(2) else { return nil }
      minutes = read
    } else if let read = digits(2) {
      minutes = read
    }
    guard minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// A run of ASCII letters.
  mutating func word() -> Bytes {
    let start = at
    while at < text.count, text[at].isASCIILetter { at += 1 }
    return text.part(start, at)
  }
}
