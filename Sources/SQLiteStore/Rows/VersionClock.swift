import Values

/// Gives the times of `valid_from` and `valid_to`: in UTC, as timestamps are stored, each later than those before.
struct VersionClock {
  private var last: [UInt8] = []

  /// Now, and in any case after every time that it gave, and after `earlier`.
  mutating func next(after earlier: [UInt8] = []) -> [UInt8] {
    let time = Instant.now()
    var text = Self.text(seconds: time.seconds, microseconds: Int64(time.nanoseconds) / 1000)
    for earlier in [last, earlier] where !earlier.lexicographicallyPrecedes(text) { text = Self.following(earlier) }
    last = text
    return text
  }

  /// A time just after another one: shorter than a microsecond.
  static func following(_ text: [UInt8]) -> [UInt8] {
    let digits = text.firstIndex(of: UInt8(ascii: ".")).map { text.count - $0 - 1 }
    let point = digits == nil ? [UInt8(ascii: ".")] : []
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 6 - (digits ?? 0)))
    return text + point + zeros + [UInt8(ascii: "1")]
  }

  static func text(seconds: Int64, microseconds: Int64) -> [UInt8] {
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - day * 86_400
    let date = Self.date(day)
    var text = "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2)) "
    text += [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
    if microseconds > 0 {
      var fraction = padded(microseconds, to: 6)
      while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
      text += ".\(fraction)"
    }
    return Array(text.utf8)
  }

  private static func padded(_ number: Int64, to count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  /// The date of a day that is counted from 1970-01-01, by the Gregorian calendar's eras of 400 years.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // From March 1 of the year 0, so that a leap day ends its year.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
