/// A day of the Gregorian calendar, which is taken to have been in use always.
package struct CivilDate: Hashable, Comparable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nil for a day that does not exist, or a year outside of 1…9999.
  package init?(year: Int, month: Int, day: Int) {
    guard year >= 1, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
    guard day <= Self.days(in: month, of: year) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day so many days after 1970-01-01; nil outside of the years 1…9999.
  package init?(daysSinceEpoch days: Int) {
    guard days >= -719_162, days <= 2_932_896 else { return nil }
    // Years begin in March here, so that a leap day is a year's last
    // (Howard Hinnant, "chrono-compatible date algorithms").
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// `yyyy-MM-dd`, as variables of type `date` are written; nil for anything else.
  package init?(_ text: String) {
    var text = text
    let found: CivilDate? = text.withUTF8 {
      guard $0.count == 10, case .written(let date) = ISODate.read(Bytes($0)) else { return nil }
      return date.day
    }
    guard let found else { return nil }
    self = found
  }

  package var daysSinceEpoch: Int { Self.daysSinceEpoch(year: year, month: month, day: day) }

  /// 1 is Monday, 7 is Sunday.
  package var weekday: Int { (daysSinceEpoch + 719_162) % 7 + 1 }

  package var dayOfYear: Int { daysSinceEpoch - Self.daysSinceEpoch(year: year, month: 1, day: 1) + 1 }

  package func adding(days: Int) -> CivilDate? { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

  package static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  /// `2015-07-04`
  package var text: String { String(bytes: 10) { DateText.put(self, at: $0) } }

  static func isLeap(_ year: Int) -> Bool { year & 3 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func days(in month: Int, of year: Int) -> Int {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    return 30 + ((month + month >> 3) & 1)
  }

  /// Days since 1970-01-01, for years from 0 on.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// A time of day, to the nanosecond.
package struct CivilTime: Hashable, Comparable, Sendable {
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let nanosecond: Int

  /// Nil for a time that does not exist: 24:00 and leap seconds are none.
  package init?(hour: Int, minute: Int, second: Int = 0, nanosecond: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
    guard (0..<1_000_000_000).contains(nanosecond) else { return nil }
    (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
  }

  private init() { (hour, minute, second, nanosecond) = (0, 0, 0, 0) }

  package static let midnight = CivilTime()

  package var secondsSinceMidnight: Int { hour * 3600 + minute * 60 + second }

  package static func < (a: CivilTime, b: CivilTime) -> Bool {
    (a.secondsSinceMidnight, a.nanosecond) < (b.secondsSinceMidnight, b.nanosecond)
  }
}
