extension DatePattern {
  /// The date in this pattern; `offset` is in seconds, ahead of UTC.
  package func format(_ date: CivilDate, _ time: CivilTime = .midnight, offset: Int = 0) -> String {
    var out = ""
    for element in elements {
      switch element {
      case .literal(let bytes): out += String(decoding: bytes, as: UTF8.self)
      case .field(let field, let width): out += Self.text(field, width, date, time, offset)
      }
    }
    return out
  }

  /// The instant in UTC; nil outside of the years 1…9999.
  package func format(_ instant: Instant) -> String? {
    instant.civil.map { format($0.date, $0.time) }
  }

  private static func text(
    _ field: Field, _ width: Int, _ date: CivilDate, _ time: CivilTime, _ offset: Int
  ) -> String {
    switch field {
    case .year: width == 2 ? padded(date.year % 100, 2) : padded(date.year, width)
    case .month: width > 2 ? name(EnglishNames.months, date.month, width) : padded(date.month, width)
    case .day: padded(date.day, width)
    case .dayOfYear: padded(date.dayOfYear, width)
    case .weekday: name(EnglishNames.weekdays, date.weekday, width)
    case .halfDay: time.hour < 12 ? "AM" : "PM"
    case .hour12: padded((time.hour + 11) % 12 + 1, width)
    case .hour24: padded(time.hour, width)
    case .hour11: padded(time.hour % 12, width)
    case .hour24From1: padded(time.hour == 0 ? 24 : time.hour, width)
    case .minute: padded(time.minute, width)
    case .second: padded(time.second, width)
    case .fraction: String(padded(time.nanosecond, 9).prefix(width))
    case .offsetZ: width == 5 ? offsetText(offset, colon: true, zulu: true) : offsetText(offset, colon: width == 4)
    case .offsetX: offsetText(offset, colon: width == 3 || width == 5, zulu: true, short: width == 1)
    case .offsetLowerX: offsetText(offset, colon: width == 3 || width == 5, short: width == 1)
    case .zoneName: offset == 0 ? "GMT" : "GMT" + offsetText(offset, colon: true)
    }
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func name(_ names: [String], _ number: Int, _ width: Int) -> String {
    width == 4 ? names[number - 1] : String(names[number - 1].prefix(3))
  }

  private static func offsetText(_ offset: Int, colon: Bool, zulu: Bool = false, short: Bool = false) -> String {
    if offset == 0, zulu { return "Z" }
    let minutes = abs(offset) / 60
    let hours = (offset < 0 ? "-" : "+") + padded(minutes / 60, 2)
    if short, minutes % 60 == 0 { return hours }
    return hours + (colon ? ":" : "") + padded(minutes % 60, 2)
  }
}
