extension DatePattern {
  /// Reads a whole text. A day that the pattern does not have is 1970-01-01, a time midnight.
  func read(_ text: Bytes) -> DateReading {
    var reader = DateScanner(text: text, at: 0)
    var parts = Parts()
    for element in elements {
      switch element {
      case .literal(let bytes):
        if !reader.skip(bytes) { return .fault(.notation) }
      case .field(let field, let width):
        if !parts.read(field, width, from: &reader) { return .fault(parts.fault) }
      }
    }
    return reader.isAtEnd ? parts.date : .fault(.notation)
  }

  /// What the fields of a pattern have found so far.
  private struct Parts {
    var year = 1970
    var month = 1
    var day = 1
    var dayOfYear: Int?
    var weekday: Int?
    var hour = 0
    var isAfternoon: Bool?
    var minute = 0
    var second = 0
    var nanosecond = 0
    var offset: Int?
    /// Why the last field could not be read.
    var fault = DateFault.notation

    mutating func read(_ field: Field, _ width: Int, from reader: inout DateScanner) -> Bool {
      switch field {
      case .year:
        return set(
          \.year, width == 2 ? reader.digits(2).map { $0 < 69 ? 2000 + $0 : 1900 + $0 } : number(4, width, &reader))
      case .month where width > 2: return set(\.month, EnglishNames.month(reader.word()))
      case .month: return set(\.month, number(2, width, &reader))
      case .day: return set(\.day, number(2, width, &reader))
      case .dayOfYear: return set(\.dayOfYear, number(3, width, &reader))
      case .weekday: return set(\.weekday, EnglishNames.weekday(reader.word()))
      case .halfDay: return readHalfDay(&reader)
      case .hour24: return set(\.hour, number(2, width, &reader))
      case .hour11, .hour12, .hour24From1: return readHour(field, number(2, width, &reader))
      case .minute: return set(\.minute, number(2, width, &reader))
      case .second: return set(\.second, number(2, width, &reader))
      case .fraction: return set(\.nanosecond, reader.digits(width).map { $0 * DateScanner.scale[9 - width] })
      case .offsetZ, .offsetX, .offsetLowerX: return set(\.offset, reader.offset())
      case .zoneName: return readZoneName(&reader)
      }
    }

    /// Exactly `width` digits, or, by a pattern of one letter, up to `most`.
    private func number(_ most: Int, _ width: Int, _ reader: inout DateScanner) -> Int? {
      width == 1 ? reader.digits(upTo: most)?.value : reader.digits(width)
    }

    private mutating func set<Value>(_ part: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
      guard let value else { return false }
      self[keyPath: part] = value
      return true
    }

    private mutating func set(_ part: WritableKeyPath<Self, Int?>, _ value: Int?) -> Bool {
      guard let value else { return false }
      self[keyPath: part] = value
      return true
    }

    private mutating func readHour(_ field: Field, _ value: Int?) -> Bool {
      guard let value else { return false }
      let range = field == .hour11 ? 0...11 : field == .hour12 ? 1...12 : 1...24
      fault = .time
      guard range.contains(value) else { return false }
      fault = .notation
      hour = value == range.upperBound && field != .hour11 ? 0 : value
      return true
    }

    private mutating func readHalfDay(_ reader: inout DateScanner) -> Bool {
      let word = reader.word()
      isAfternoon = word.equalsIgnoringCase("pm")
      return isAfternoon == true || word.equalsIgnoringCase("am")
    }

    private mutating func readZoneName(_ reader: inout DateScanner) -> Bool {
      guard let first = reader.rest.first else { return false }
      if !first.isASCIILetter { return set(\.offset, reader.offset()) }
      let word = reader.word()
      offset = 0
      fault = .zone
      let known: [StaticString] = ["utc", "gmt", "ut", "z"]
      guard known.contains(where: word.equalsIgnoringCase) else { return false }
      fault = .notation
      // `GMT+02:00`
      if let sign = reader.rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        return set(\.offset, reader.offset())
      }
      return true
    }

    var date: DateReading {
      var found = CivilDate(year: year, month: month, day: day)
      if let dayOfYear {
        found = CivilDate(year: year, month: 1, day: 1)?.adding(days: dayOfYear - 1)
        if found?.year != year { found = nil }
      }
      let time = CivilTime(
        hour: isAfternoon == true ? hour + 12 : hour, minute: minute, second: second, nanosecond: nanosecond)
      return RFC2822Date.written(found, time, second: second, offset: offset, weekday: weekday)
    }
  }
}
