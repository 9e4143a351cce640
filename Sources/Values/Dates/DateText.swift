/// Writes dates and times as columns have them.
enum DateText {
  /// `2015-07-04 00:00:00.123456789`
  static let longest = 29

  typealias Output = UnsafeMutablePointer<UInt8>

  @inline(__always) static func put2(_ value: Int, at out: Output) {
    out[0] = 48 + UInt8(truncatingIfNeeded: value / 10)
    out[1] = 48 + UInt8(truncatingIfNeeded: value % 10)
  }

  /// `yyyy-MM-dd`; returns its length.
  @discardableResult @inline(__always) static func put(_ date: CivilDate, at out: Output) -> Int {
    put2(date.year / 100, at: out)
    put2(date.year % 100, at: out + 2)
    out[4] = UInt8(ascii: "-")
    put2(date.month, at: out + 5)
    out[7] = UInt8(ascii: "-")
    put2(date.day, at: out + 8)
    return 10
  }

  /// `HH:mm:ss[.fraction]`, the fraction without trailing zeros; returns its length.
  @inline(__always) static func put(_ time: CivilTime, at out: Output) -> Int {
    put2(time.hour, at: out)
    out[2] = UInt8(ascii: ":")
    put2(time.minute, at: out + 3)
    out[5] = UInt8(ascii: ":")
    put2(time.second, at: out + 6)
    return time.nanosecond == 0 ? 8 : putFraction(time.nanosecond, at: out + 8) + 8
  }

  private static func putFraction(_ nanosecond: Int, at out: Output) -> Int {
    out[0] = UInt8(ascii: ".")
    var rest = nanosecond
    var length = 0
    for index in stride(from: 9, through: 1, by: -1) {
      let digit = rest % 10
      rest /= 10
      if length == 0, digit != 0 { length = index + 1 }
      out[index] = 48 + UInt8(truncatingIfNeeded: digit)
    }
    return length
  }

  @inline(__always) static func put(
    _ date: CivilDate, _ time: CivilTime, separator: UInt8 = UInt8(ascii: " "), at out: Output
  ) -> Int {
    put(date, at: out)
    out[10] = separator
    return put(time, at: out + 11) + 11
  }
}

extension String {
  /// A text of at most `bytes` bytes, which `write` writes; it returns how many.
  init(bytes: Int, _ write: (DateText.Output) -> Int) {
    self.init(unsafeUninitializedCapacity: bytes) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return write(start)
    }
  }
}
