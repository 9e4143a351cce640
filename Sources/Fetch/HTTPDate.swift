/// Dates as servers write them in headers and bodies.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The time since 1970 that the text names: the three forms of HTTP (`Wed, 21 Oct 2015 07:28:00 GMT`,
  /// `Wednesday, 21-Oct-15 07:28:00 GMT`, `Wed Oct 21 07:28:00 2015`) and RFC 3339; nil for all others.
  static func read(_ text: [UInt8]) -> Duration? {
    let words = text.split(whereSeparator: { " ,-".utf8.contains($0) }).map { Array($0.lowercased()) }
    switch words.count {
    case 6 where words[5] == Array("gmt".utf8) || words[5] == Array("utc".utf8):
      return moment(year: year(words[3]), month: month(words[2]), day: ASCII.number(words[1]), clock: words[4])
    case 5 where ASCII.isLetter(words[0].first ?? 0):
      return moment(year: year(words[4]), month: month(words[1]), day: ASCII.number(words[2]), clock: words[3])
    default: return internetDate(text)
    }
  }

  private static func year(_ digits: [UInt8]) -> Int? {
    guard let year = ASCII.number(digits), digits.count == 4 || digits.count == 2 else { return nil }
    // Two digits are of the oldest form; 70 to 99 lie before 2000.
    return digits.count == 4 ? year : year < 70 ? 2000 + year : 1900 + year
  }

  private static func month(_ name: [UInt8]) -> Int? {
    months.firstIndex { Array($0.utf8) == name }.map { $0 + 1 }
  }

  private static func moment(year: Int?, month: Int?, day: Int?, clock: [UInt8]) -> Duration? {
    let parts = clock.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard let year, let month, let day, parts.count == 3, parts.allSatisfy({ $0.count == 2 }) else { return nil }
    return moment(year, month, day, parts.map { ASCII.number($0) })
  }

  private static func moment(_ year: Int, _ month: Int, _ day: Int, _ clock: [Int?]) -> Duration? {
    guard let hour = clock[0], let minute = clock[1], let second = clock[2], (1...12).contains(month),
      (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return .seconds(dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// `2015-10-21T07:28:00.5+02:00`, with `Z` or a space instead of `T` as well.
  private static func internetDate(_ text: [UInt8]) -> Duration? {
    guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, "Tt ".utf8.contains(text[10]), text[13] == 0x3A,
      text[16] == 0x3A, let year = ASCII.number(text[..<4]), let month = ASCII.number(text[5..<7]),
      let day = ASCII.number(text[8..<10]),
      let local = moment(year, month, day, [11, 14, 17].map { ASCII.number(text[$0..<($0 + 2)]) })
    else { return nil }
    var rest = text[19...]
    if rest.first == 0x2E {
      let fraction = rest.dropFirst().prefix(while: ASCII.isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if rest.count == 1, let zone = rest.first, zone | 0x20 == 0x7A { return local }
    let offset = Array(rest)
    guard offset.count == 6, offset[0] == 0x2B || offset[0] == 0x2D, offset[3] == 0x3A,
      let hours = ASCII.number(offset[1..<3]), let minutes = ASCII.number(offset[4..<6]), hours < 24, minutes < 60
    else { return nil }
    let ahead = Duration.seconds(hours * 3_600 + minutes * 60)
    return offset[0] == 0x2B ? local - ahead : local + ahead
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01, by counting years from March.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
