import Records

/// Dates that are a count since 1970: epoch seconds and its parts, and `/Date(ms)/`.
enum CountedDate {
  /// A number, or numeric text, of units of which `10^digits` are a second. Exact: no double, and no digit lost.
  static func read(_ text: Bytes, digits: Int) -> DateReading {
    guard let number = Numeral(text) else { return .fault(.notation) }
    if number.isZero { return .instant(Instant(seconds: 0)) }
    // Digits of whole seconds; the years up to 9999 have twelve of them.
    let point = number.point - digits
    guard point <= 12 else { return .fault(.range) }
    guard number.significantCount - point <= 9 else { return .fault(.fraction) }
    var units: Int64 = 0
    var nanoseconds: Int32 = 0
    let start = number.first
    if point > 0 { for index in start..<start + point { units = units * 10 + Int64(number.digit(index) - 48) } }
    for place in 0..<9 {
      let index = start + point + place
      nanoseconds = nanoseconds * 10 + (index < start ? 0 : Int32(number.digit(index) - 48))
    }
    return instant(units, nanoseconds, isNegative: number.isNegative)
  }

  private static func instant(_ seconds: Int64, _ nanoseconds: Int32, isNegative: Bool) -> DateReading {
    if !isNegative { return .instant(Instant(seconds: seconds, nanoseconds: nanoseconds)) }
    if nanoseconds == 0 { return .instant(Instant(seconds: -seconds)) }
    return .instant(Instant(seconds: -seconds - 1, nanoseconds: 1_000_000_000 - nanoseconds))
  }

  /// `/Date(1435968000000+0200)/`; the offset only says where the server stood.
  static func readDotNet(_ text: Bytes) -> DateReading {
    let (head, tail) = (Array("/Date(".utf8), Array(")/".utf8))
    guard text.count > head.count + tail.count, text.starts(with: head),
      text.suffix(tail.count).elementsEqual(tail)
    else { return .fault(.notation) }
    let inner = text.part(head.count, text.count - tail.count)
    var reader = DateScanner(text: inner, at: inner.first == UInt8(ascii: "-") ? 1 : 0)
    guard reader.digits(upTo: 18) != nil else { return .fault(.notation) }
    let number = inner.part(0, reader.at)
    if !reader.isAtEnd {
      guard reader.rest.count == 5, !reader.rest[0].isASCIILetter, reader.offset() != nil, reader.isAtEnd else {
        return .fault(.notation)
      }
    }
    return read(number, digits: 3)
  }
}
