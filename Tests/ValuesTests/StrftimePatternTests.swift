import Records
import Testing

@testable import Values  // the pattern is read and written as a field does it, which other targets do by conversions

/// Patterns of strftime as date patterns: what they come to, and that they read and write what C and Python do.
struct StrftimePatternTests {
  /// What strftime writes of 2015-07-04 13:05:09.123456, two hours ahead of UTC.
  @Test(arguments: [
    ("%Y-%m-%dT%H:%M:%S%z", "yyyy-MM-dd'T'HH:mm:ssxx", "2015-07-04T13:05:09+0200"),
    ("%Y-%m-%dT%H:%M:%S.%f%:z", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSxxx", "2015-07-04T13:05:09.123456+02:00"),
    ("%F %T.%3N", "yyyy-MM-dd HH:mm:ss.SSS", "2015-07-04 13:05:09.123"),
    ("%a, %d %b %Y %X", "EEE, dd MMM yyyy HH:mm:ss", "Sat, 04 Jul 2015 13:05:09"),
    ("%A %-d %B %y", "EEEE d MMMM yy", "Saturday 4 July 15"), ("%D %r", "MM/dd/yy hh:mm:ss a", "07/04/15 01:05:09 PM"),
    ("%Y-%j", "yyyy-DDD", "2015-185"), ("%-m/%-d/%Y %l:%M %p", "M/d/yyyy h:mm a", "7/4/2015 1:05 PM"),
    ("%Hh%M o'clock", "HH'h'mm 'o''clock'", "13h05 o'clock"), ("'%d'", "''dd''", "'04'"),
    ("100%% %d", "100% dd", "100% 04"), ("Z%Y", "'Z'yyyy", "Z2015"),
  ])
  func `a pattern writes what strftime does`(_ text: String, _ pattern: String, _ written: String) throws {
    #expect(StrftimePattern.pattern(of: text) == pattern)
    let date = try #require(CivilDate("2015-07-04"))
    let time = try #require(CivilTime(hour: 13, minute: 5, second: 9, nanosecond: 123_456_000))
    #expect(try DatePattern(pattern).format(date, time, offset: 7200) == written)
  }

  @Test(arguments: ["%", "%-", "%G-W%V", "%U", "%m%b", "%d%e", "%-z", "%3d", "%Q", "%E"])
  func `what has no letter, or would run together, has no pattern`(_ text: String) {
    #expect(StrftimePattern.pattern(of: text) == nil)
  }

  @Test(arguments: ["2015-07-04T13:05:09Z", "2015-07-04T15:05:09+0200", "2015-07-04T15:05:09+02:00"])
  func `an offset is read in each of the forms that Python reads`(_ text: String) throws {
    let pattern = try #require(StrftimePattern.pattern(of: "%Y-%m-%dT%H:%M:%S%z"))
    let spec = ConversionSpec(type: .timestamp, formats: [pattern])
    let conversion = try #require(Conversion.compile(spec).conversion)
    #expect(Literal.text(text).shown(by: conversion) == "2015-07-04 13:05:09")
  }

  @Test(arguments: [("%-d", true), ("%d", true), ("%:z", true), ("%3N", true), ("5% of", false), ("100%", false)])
  func `a pattern of strftime is told apart`(_ text: String, _ isOne: Bool) {
    #expect((StrftimePattern.fault(in: text) != nil) == isOne)
  }
}

extension Literal {
  fileprivate func shown(by conversion: Conversion) -> String? {
    let arena = ByteArena()
    guard case .cell(let cell) = conversion.convert(self, into: arena) else { return nil }
    return withExtendedLifetime(arena) { unsafe String(decoding: cell.rawBytes, as: UTF8.self) }
  }
}
