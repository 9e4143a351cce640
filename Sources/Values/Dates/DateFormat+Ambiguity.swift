extension DateFormat {
  /// Two of the formats that read one text as two dates (`dd/MM/yyyy` before `MM/dd/yyyy`): their indices, the first
  /// pair. It is worth a warning; which of them counts is decided by the order.
  package static func ambiguity(among formats: [String]) -> (first: Int, second: Int)? {
    let patterns = formats.map { text -> DatePattern? in
      guard !names.contains(text) else { return nil }
      return try? DatePattern(text)
    }
    for (j, second) in patterns.enumerated() {
      for (i, first) in patterns.enumerated().prefix(j) {
        if let first, let second, first.disagrees(with: second) { return (i, j) }
      }
    }
    return nil
  }
}

extension DatePattern {
  /// Days and times that look alike when their parts change places.
  private static let probes: [WrittenDate] = [(2003, 2, 1), (2010, 11, 12), (2001, 10, 11)].compactMap { parts in
    let day = CivilDate(year: parts.0, month: parts.1, day: parts.2)
    let time = CivilTime(hour: 4, minute: 5, second: 6, nanosecond: 123_456_789)
    guard let day, let time else { return nil }
    return WrittenDate(day: day, time: time, offset: 0)
  }

  fileprivate func disagrees(with other: DatePattern) -> Bool {
    Self.probes.contains { probe in
      var text = format(probe.day, probe.time)
      return text.withUTF8 { buffer in
        let bytes = Bytes(buffer)
        guard case .written(let a) = read(bytes), case .written(let b) = other.read(bytes) else { return false }
        return a.day != b.day || a.time != b.time
      }
    }
  }
}
