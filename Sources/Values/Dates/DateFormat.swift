package import Records

/// One entry of `format`: a named format or a date pattern.
package enum DateFormat: Sendable, Hashable {
  case iso8601, rfc2822, dotnet
  /// A count of units of which 10^digits are a second.
  case epoch(digits: Int)
  case pattern(DatePattern)

  private static let named: [(name: String, format: DateFormat)] = [
    ("iso8601", .iso8601), ("rfc2822", .rfc2822), ("epoch_s", .epoch(digits: 0)), ("epoch_ms", .epoch(digits: 3)),
    ("epoch_us", .epoch(digits: 6)), ("epoch_ns", .epoch(digits: 9)), ("dotnet", .dotnet),
  ]

  /// The names that are formats of their own.
  package static var names: [String] { named.map(\.name) }

  /// A format that only writes needs nothing; one that reads needs what `type` is made of.
  package init(_ text: String, reading type: ColumnType? = nil) throws(DatePattern.Fault) {
    if let known = Self.named.first(where: { $0.name == text }) {
      self = known.format
      return
    }
    // No pattern has two letters of a name in a row like `epoch_sec`: it is a name misspelt.
    if let name = NearestName.of(text, among: Self.names) {
      throw DatePattern.Fault(message: "no date format is named '\(text)'", hint: "did you mean '\(name)'?")
    }
    if text.isEmpty { throw DatePattern.Fault(message: "the date pattern is empty") }
    let pattern = try DatePattern(text)
    if let type { try pattern.expect(type) }
    self = .pattern(pattern)
  }

  /// The instant in this format; nil outside of the years 1…9999.
  package func format(_ instant: Instant) -> String? {
    switch self {
    case .iso8601: instant.rfc3339
    case .rfc2822: Self.mail?.format(instant)
    case .dotnet: "/Date(\(instant.milliseconds))/"
    case .epoch(let digits): instant.count(digits: digits)
    case .pattern(let pattern): pattern.format(instant)
    }
  }

  private static let mail = try? DatePattern("EEE, dd MMM yyyy HH:mm:ss Z")

  func read(_ value: RawValue, _ text: Bytes) -> DateReading {
    switch self {
    case .epoch(let digits):
      return value.kind == .number || value.kind == .text ? CountedDate.read(text, digits: digits) : .fault(.notation)
    case .pattern(let pattern):
      // A number like 20150704 is what `yyyyMMdd` says.
      return value.kind == .text || (value.kind == .number && value.flag) ? pattern.read(text) : .fault(.notation)
    case .iso8601: return value.kind == .text ? ISODate.read(text) : .fault(.notation)
    case .rfc2822: return value.kind == .text ? RFC2822Date.read(text) : .fault(.notation)
    case .dotnet: return value.kind == .text ? CountedDate.readDotNet(text) : .fault(.notation)
    }
  }
}

extension DatePattern {
  /// Throws unless the pattern says all that a value of `type` is made of, once and without a gap.
  func expect(_ type: ColumnType) throws(Fault) {
    try expectNothingTwice()
    if type != .time { try expectDay(of: type) }
    if type == .time, !hasHour { throw missing("hours", "HH", type) }
    if hasHour || type == .time { try expectHalfDay() }
    if has(.second), !has(.minute) { throw missing("minutes", "mm", type) }
    if has(.minute), !hasHour, !(type == .date) { throw missing("hours", "HH", type) }
    if has(.fraction), !has(.second) { throw missing("seconds", "ss", type) }
  }

  /// Throws where a pattern that only writes, be it a part of a date, would write something else than it seems to.
  package func expectSense() throws(Fault) {
    try expectHalfDay()
    if has(.year), has(.day) || has(.dayOfYear) { try expectDay(of: .date) }
    if has(.minute), !hasHour {
      throw Fault(
        message: "the date pattern '\(text)' has minutes without hours", hint: "MM is the month, mm are the minutes")
    }
    if has(.second), hasHour, !has(.minute) {
      throw Fault(message: "the date pattern '\(text)' has hours and seconds without minutes", hint: "add mm")
    }
    if has(.month), has(.dayOfYear) {
      throw Fault(
        message: "the date pattern '\(text)' has the day of the year beside a month",
        hint: "dd is the day of the month, DDD the day of the year")
    }
  }

  private func expectNothingTwice() throws(Fault) {
    let names: [(String, [Field])] = [
      ("year", [.year]), ("month", [.month]), ("day", [.day]), ("day of the year", [.dayOfYear]),
      ("weekday", [.weekday]), ("hour", [.hour11, .hour12, .hour24, .hour24From1]), ("minute", [.minute]),
      ("second", [.second]), ("fraction", [.fraction]), ("offset", [.offsetX, .offsetZ, .offsetLowerX, .zoneName]),
      ("half of the day", [.halfDay]),
    ]
    for (name, fields) in names {
      let count = elements.count { if case .field(let field, _) = $0 { fields.contains(field) } else { false } }
      guard count > 1 else { continue }
      let isMixedUp = name == "month" && !has(.minute) || name == "minute" && !has(.month)
      let hint = isMixedUp ? "MM is the month, mm are the minutes" : nil
      throw Fault(message: "the date pattern '\(text)' has the \(name) twice", hint: hint)
    }
  }

  private func expectDay(of type: ColumnType) throws(Fault) {
    if !has(.year) { throw missing("year", "yyyy", type) }
    if has(.dayOfYear) {
      guard has(.month) || has(.day) else { return }
      throw Fault(
        message: "the date pattern '\(text)' has the day of the year beside a month or day",
        hint: "dd is the day of the month, DDD the day of the year")
    }
    if !has(.month) {
      var fault = missing("month", "MM", type)
      if has(.minute) { fault.hint = "MM is the month, mm are the minutes" }
      throw fault
    }
    if !has(.day) { throw missing("day", "dd", type) }
  }

  private func expectHalfDay() throws(Fault) {
    if has(.hour11, .hour12), !has(.halfDay) {
      throw Fault(
        message: "the date pattern '\(text)' has hours of half a day without AM and PM",
        hint: "write HH for 24 hours, or add a for AM and PM")
    }
    if has(.halfDay), !has(.hour11, .hour12) {
      throw Fault(
        message: "the date pattern '\(text)' has AM and PM beside hours of a whole day",
        hint: "hours from 1 to 12 are h")
    }
  }

  private func missing(_ what: String, _ letters: String, _ type: ColumnType) -> Fault {
    Fault(message: "the date pattern '\(text)' has no \(what), which a \(type.rawValue) needs", hint: "add \(letters)")
  }
}

extension Instant {
  /// Milliseconds since 1970, rounded down.
  fileprivate var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

  /// Units since 1970 of which 10^digits are a second, in decimal, with a fraction when there is one.
  fileprivate func count(digits: Int) -> String? {
    let whole = seconds < 0 && nanoseconds > 0
    let (units, rest) = whole ? (seconds + 1, 1_000_000_000 - nanoseconds) : (seconds, nanoseconds)
    let minus = seconds < 0 ? "-" : ""
    let fraction = String(1_000_000_000 + Int(rest)).dropFirst()
    var text = String(units.magnitude) + fraction.prefix(digits)
    while text.utf8.count > 1, text.utf8.first == UInt8(ascii: "0") { text.removeFirst() }
    var tail = fraction.dropFirst(digits)
    while tail.utf8.last == UInt8(ascii: "0") { tail.removeLast() }
    return minus + text + (tail.isEmpty ? "" : "." + tail)
  }
}
