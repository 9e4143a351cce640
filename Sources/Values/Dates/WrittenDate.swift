/// What a text says about a date: a day, a time, and an offset if it has one.
struct WrittenDate {
  var day: CivilDate
  var time: CivilTime
  /// Seconds that clocks are ahead of UTC; nil when the text does not say.
  var offset: Int?

  /// Nil outside of the years 1…9999.
  func instant(in zone: TimeZoneRules?) -> Instant? {
    let local = Int64(day.daysSinceEpoch * 86_400 + time.secondsSinceMidnight)
    let seconds = offset.map { local - Int64($0) } ?? zone?.utc(fromLocal: local) ?? local
    guard seconds >= -62_135_596_800, seconds < 253_402_300_800 else { return nil }
    return Instant(seconds: seconds, nanoseconds: Int32(time.nanosecond))
  }
}

/// What came of reading a text as a date.
enum DateReading {
  case written(WrittenDate)
  /// A count of seconds: it is no text that says a day.
  case instant(Instant)
  case fault(DateFault)
}

/// Why a text is no date. The sentences follow after "text of 5 characters …".
enum DateFault {
  case notation, day, time, leapSecond, fraction, range, weekday, zone

  func sentence(about value: RawValue, type: String) -> String {
    switch self {
    case .notation: "\(value.shape) is not a \(type)"
    case .day: "the day does not exist"
    case .time: "the time does not exist"
    case .leapSecond: "a leap second cannot be stored"
    case .fraction: "the fraction of a second has more than 9 digits"
    case .range: "the date is outside of the years 1 to 9999"
    case .weekday: "the weekday is not that of the date"
    case .zone: "the time zone's name is not UTC or GMT"
    }
  }
}
