import Glibc

/// A point in time, to the nanosecond; leap seconds are not counted.
package struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var seconds: Int64
  /// 0..<1_000_000_000, added to `seconds` also before 1970.
  package var nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    precondition(nanoseconds >= 0 && nanoseconds < 1_000_000_000, "nanoseconds are a part of one second")
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Midnight, or another time, of a day in UTC.
  package init(_ date: CivilDate, _ time: CivilTime = .midnight) {
    seconds = Int64(date.daysSinceEpoch * 86_400 + time.secondsSinceMidnight)
    nanoseconds = Int32(time.nanosecond)
  }

  /// What the system's clock says.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// An ISO 8601 timestamp; without an offset it is UTC, a date alone is midnight.
  package init?(iso text: String) {
    var text = text
    let found: Instant? = text.withUTF8 {
      guard case .written(let date) = ISODate.read(Bytes($0)) else { return nil }
      return date.instant(in: nil)
    }
    guard let found else { return nil }
    self = found
  }

  package static func < (a: Instant, b: Instant) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  package func adding(seconds: Int64) -> Instant {
    Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
  }

  /// Day and time in UTC; nil outside of the years 1…9999.
  package var civil: (date: CivilDate, time: CivilTime)? { civil(offset: 0) }

  /// Day and time where clocks are `offset` seconds ahead of UTC; nil outside of the years 1…9999.
  func civil(offset: Int) -> (date: CivilDate, time: CivilTime)? {
    let (local, over) = seconds.addingReportingOverflow(Int64(offset))
    if over { return nil }
    let days = local >= 0 ? local / 86_400 : (local + 1) / 86_400 - 1
    let rest = Int(local - days * 86_400)
    guard let date = CivilDate(daysSinceEpoch: Int(days)) else { return nil }
    let time = CivilTime(
      hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, nanosecond: Int(nanoseconds))
    guard let time else { return nil }
    return (date, time)
  }

  /// `2015-07-04T00:00:00Z`, with a fraction when there is one; nil outside of the years 1…9999.
  package var rfc3339: String? {
    guard let (date, time) = civil else { return nil }
    return String(bytes: DateText.longest + 1) {
      let length = DateText.put(date, time, separator: UInt8(ascii: "T"), at: $0)
      $0[length] = UInt8(ascii: "Z")
      return length + 1
    }
  }

  /// As a `timestamp` column has it in SQLite, `2015-07-04 00:00:00`; nil outside of the years 1…9999.
  package var stored: String? {
    guard let (date, time) = civil else { return nil }
    return String(bytes: DateText.longest) { DateText.put(date, time, at: $0) }
  }
}
