/// Dates of mail headers, and of RSS: `Sat, 04 Jul 2015 10:00:00 +0200`.
///
/// The weekday and the seconds may be missing, a comment may follow; the RFC's zone names (`GMT`, `EST`, …) and its
/// years of two digits are read as it says.
enum RFC2822Date {
  static func read(_ text: Bytes) -> DateReading {
    var reader = DateScanner(text: text, at: 0)
    var weekday: Int?
    if let first = text.first, first.isASCIILetter {
      weekday = EnglishNames.weekday(reader.word())
      guard weekday != nil, reader.skip(UInt8(ascii: ",")) else { return .fault(.notation) }
      spaces(&reader)
    }
    guard let (day, _) = reader.digits(upTo: 2), spaces(&reader) else { return .fault(.notation) }
    guard let month = EnglishNames.month(reader.word()), spaces(&reader) else { return .fault(.notation) }
    guard let year = year(&reader), spaces(&reader) else { return .fault(.notation) }
    guard let hour = reader.digits(2), reader.skip(UInt8(ascii: ":")), let minute = reader.digits(2) else {
      return .fault(.notation)
    }
    var second = 0
    if reader.skip(UInt8(ascii: ":")) {
      guard let read = reader.digits(2) else { return .fault(.notation) }
      second = read
    }
    guard spaces(&reader), let offset = zone(&reader) else { return .fault(.notation) }
    passComment(&reader)
    guard reader.isAtEnd else { return .fault(.notation) }
    return written(
      CivilDate(year: year, month: month, day: day), CivilTime(hour: hour, minute: minute, second: second),
      second: second, offset: offset, weekday: weekday)
  }

  /// Puts the parts together, or says which of them does not exist.
  static func written(
    _ day: CivilDate?, _ time: CivilTime?, second: Int, offset: Int?, weekday: Int?
  ) -> DateReading {
    guard let day else { return .fault(.day) }
    guard let time else { return .fault(second == 60 ? .leapSecond : .time) }
    if let weekday, weekday != day.weekday { return .fault(.weekday) }
    return .written(WrittenDate(day: day, time: time, offset: offset))
  }

  @discardableResult private static func spaces(_ reader: inout DateScanner) -> Bool {
    let start = reader.at
    while !reader.isAtEnd {
      let length = reader.text.whiteSpace(at: reader.at)
      if length == 0 { break }
      reader.at += length
    }
    return reader.at > start
  }

  private static func year(_ reader: inout DateScanner) -> Int? {
    guard let (value, count) = reader.digits(upTo: 4) else { return nil }
    switch count {
    case 4: return value
    case 3: return value + 1900
    case 2: return value < 50 ? value + 2000 : value + 1900
    default: return nil
    }
  }

  private static func zone(_ reader: inout DateScanner) -> Int? {
    if let first = reader.rest.first, !first.isASCIILetter { return reader.offset() }
    let name = reader.word()
    let hours: [(StaticString, Int)] = [
      ("gmt", 0), ("ut", 0), ("utc", 0), ("z", 0), ("est", -5), ("edt", -4), ("cst", -6), ("cdt", -5), ("mst", -7),
      ("mdt", -6), ("pst", -8), ("pdt", -7),
    ]
    return hours.first { name.equalsIgnoringCase($0.0) }.map { $0.1 * 3600 }
  }

  /// A comment in parentheses at the end, without parentheses in it.
  private static func passComment(_ reader: inout DateScanner) {
    let start = reader.at
    spaces(&reader)
    guard reader.skip(UInt8(ascii: "(")) else {
      reader.at = start
      return
    }
    while !reader.isAtEnd, reader.text[reader.at] != UInt8(ascii: ")") { reader.at += 1 }
    if !reader.skip(UInt8(ascii: ")")) { reader.at = start }
  }
}
