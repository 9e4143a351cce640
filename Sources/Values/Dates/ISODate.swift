/// ISO 8601 as APIs write it, and nothing else of it: `yyyy-MM-dd`, `yyyy-MM-ddTHH:mm[:ss[.fraction]][offset]`, a space
/// for the `T`, a comma for the point; `t` and `z` as RFC 3339 allows them. Week dates, ordinal dates, the basic format
/// and 24:00 are none.
enum ISODate {
  /// A day, or a day with a time. A day alone is midnight.
  static func read(_ text: Bytes) -> DateReading {
    guard text.count >= 10, let p = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return .fault(.notation)
    }
    let (century, year, month, day) = (two(p), two(p + 2), two(p + 5), two(p + 8))
    guard century | year | month | day >= 0, p[4] == UInt8(ascii: "-"), p[7] == UInt8(ascii: "-") else {
      return .fault(.notation)
    }
    guard let date = CivilDate(year: century * 100 + year, month: month, day: day) else {
      return .fault(text.count == 10 || isSeparator(p[10]) ? .day : .notation)
    }
    if text.count == 10 { return .written(WrittenDate(day: date, time: .midnight, offset: nil)) }
    guard isSeparator(p[10]) else { return .fault(.notation) }
    if let time = wholeSeconds(p, text.count) { return .written(WrittenDate(day: date, time: time, offset: 0)) }
    var reader = DateScanner(text: text, at: 11)
    switch clock(&reader, comma: true) {
    case .fault(let fault): return .fault(fault)
    case .time(let time):
      if reader.isAtEnd { return .written(WrittenDate(day: date, time: time, offset: nil)) }
      guard let offset = reader.offset(), reader.isAtEnd else { return .fault(.notation) }
      return .written(WrittenDate(day: date, time: time, offset: offset))
    }
  }

  /// What most APIs write, `HH:mm:ssZ` behind the separator, without a scan.
  @inline(__always) private static func wholeSeconds(_ p: UnsafePointer<UInt8>, _ count: Int) -> CivilTime? {
    guard count == 20, p[19] == UInt8(ascii: "Z"), p[13] == UInt8(ascii: ":"), p[16] == UInt8(ascii: ":") else {
      return nil
    }
    return CivilTime(hour: two(p + 11), minute: two(p + 14), second: two(p + 17))
  }

  /// A time of day alone: `HH:mm[:ss[.fraction]]`.
  static func readTime(_ text: Bytes) -> Clock {
    var reader = DateScanner(text: text, at: 0)
    let time = clock(&reader, comma: false)
    if case .time = time, !reader.isAtEnd { return .fault(.notation) }
    return time
  }

  enum Clock {
    case time(CivilTime)
    case fault(DateFault)
  }

  private static func clock(_ reader: inout DateScanner, comma: Bool) -> Clock {
    guard let hour = reader.digits(2), reader.skip(UInt8(ascii: ":")), let minute = reader.digits(2) else {
      return .fault(.notation)
    }
    var second = 0
    var nanosecond = 0
    if reader.skip(UInt8(ascii: ":")) {
      guard let read = reader.digits(2) else { return .fault(.notation) }
      second = read
      if reader.skip(UInt8(ascii: ".")) || (comma && reader.skip(UInt8(ascii: ","))) {
        guard let fraction = reader.fraction() else { return .fault(.notation) }
        if fraction < 0 { return .fault(.fraction) }
        nanosecond = fraction
      }
    }
    if second == 60, hour < 24, minute < 60 { return .fault(.leapSecond) }
    let time = CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond)
    return time.map { .time($0) } ?? .fault(.time)
  }

  @inline(__always) private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "T") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "t")
  }

  /// Two digits, or a negative number.
  @inline(__always) private static func two(_ p: UnsafePointer<UInt8>) -> Int {
    let (a, b) = (p[0] &- 48, p[1] &- 48)
    return a < 10 && b < 10 ? Int(a) * 10 + Int(b) : -1
  }
}
