/// The rule for later years at the end of a zone's file: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct POSIXZoneRule: Sendable {
  /// Seconds ahead of UTC.
  let standard: Int
  let summer: Summer?

  struct Summer: Sendable {
    var offset: Int
    var start: Day
    var end: Day
  }

  /// A day of the year, and the second of it, by the clock before the change, at which clocks change.
  struct Day: Sendable {
    enum Kind: Sendable {
      /// 1…365, 29 February is never counted.
      case julian(Int)
      /// 0…365
      case ordinal(Int)
      /// The so-manieth (5: the last) weekday (0: Sunday) of a month.
      case month(Int, week: Int, weekday: Int)
    }
    var kind: Kind
    var seconds: Int

    /// Seconds since 1970, as if local time were UTC.
    func local(in year: Int) -> Int64 {
      let newYear = CivilDate.daysSinceEpoch(year: year, month: 1, day: 1)
      let day: Int
      switch kind {
      case .julian(let number): day = newYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
      case .ordinal(let number): day = newYear + number
      case .month(let month, let week, let weekday):
        let first = CivilDate.daysSinceEpoch(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday.
        let firstWeekday = ((first + 4) % 7 + 7) % 7
        var number = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        if number >= CivilDate.days(in: month, of: year) { number -= 7 }
        day = first + number
      }
      return Int64(day) * 86_400 + Int64(seconds)
    }
  }

  func offset(at seconds: Int64) -> Int {
    segments(around: seconds + Int64(standard)).last { $0.start <= seconds }?.offset ?? standard
  }

  /// The stretches of the years around a local time.
  func segments(around local: Int64) -> [TimeZoneRules.Segment] {
    guard let summer else { return [TimeZoneRules.Segment(start: .min, offset: standard)] }
    let year = Self.year(of: local)
    var segments: [TimeZoneRules.Segment] = []
    for year in year - 1...year + 1 {
      segments.append(.init(start: summer.start.local(in: year) - Int64(standard), offset: summer.offset))
      segments.append(.init(start: summer.end.local(in: year) - Int64(summer.offset), offset: standard))
    }
    segments.sort { $0.start < $1.start }
    return segments
  }

  private static func year(of seconds: Int64) -> Int {
    let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1)
    return CivilDate(daysSinceEpoch: days)?.year ?? 9999
  }
}

extension POSIXZoneRule {
  /// Nil for a text that is no rule.
  init?(_ text: Bytes) {
    var reader = DateScanner(text: text, at: 0)
    guard Self.name(&reader), let west = Self.time(&reader, hours: 24) else { return nil }
    standard = -west
    if reader.isAtEnd {
      summer = nil
      return
    }
    guard Self.name(&reader) else { return nil }
    var offset = standard + 3600
    if !reader.isAtEnd, reader.rest.first != UInt8(ascii: ",") {
      guard let west = Self.time(&reader, hours: 24) else { return nil }
      offset = -west
    }
    guard let start = Self.day(&reader), let end = Self.day(&reader), reader.isAtEnd else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  /// `CET` or `<+03>`
  private static func name(_ reader: inout DateScanner) -> Bool {
    if reader.skip(UInt8(ascii: "<")) {
      while !reader.isAtEnd, reader.rest.first != UInt8(ascii: ">") { reader.at += 1 }
      return reader.skip(UInt8(ascii: ">"))
    }
    return reader.word().count >= 3
  }

  /// `[+-]h[h][h][:mm[:ss]]`, in seconds.
  private static func time(_ reader: inout DateScanner, hours most: Int) -> Int? {
    let minus = reader.skip(UInt8(ascii: "-"))
    if !minus { _ = reader.skip(UInt8(ascii: "+")) }
    guard let (hours, _) = reader.digits(upTo: 3), hours <= most else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where reader.skip(UInt8(ascii: ":")) {
      guard let value = reader.digits(2), value < 60 else { return nil }
      seconds += value * unit
    }
    return minus ? -seconds : seconds
  }

  private static func day(_ reader: inout DateScanner) -> Day? {
    guard reader.skip(UInt8(ascii: ",")) else { return nil }
    let kind: Day.Kind
    if reader.skip(UInt8(ascii: "M")) {
      guard let (month, _) = reader.digits(upTo: 2), (1...12).contains(month), reader.skip(UInt8(ascii: ".")),
        let week = reader.digits(1), (1...5).contains(week), reader.skip(UInt8(ascii: ".")),
        let weekday = reader.digits(1), weekday < 7
      else { return nil }
      kind = .month(month, week: week, weekday: weekday)
    } else {
      let julian = reader.skip(UInt8(ascii: "J"))
      guard let (number, _) = reader.digits(upTo: 3), number <= 365, !julian || number >= 1 else { return nil }
      kind = julian ? .julian(number) : .ordinal(number)
    }
    guard reader.skip(UInt8(ascii: "/")) else { return Day(kind: kind, seconds: 7200) }
    guard let seconds = time(&reader, hours: 167) else { return nil }
    return Day(kind: kind, seconds: seconds)
  }
}
