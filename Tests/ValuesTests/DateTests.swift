import Glibc
import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct DateTests {
  private func check(_ spec: ConversionSpec, _ cases: [(String, String)]) throws {
    for (json, expected) in cases { #expect(try Trial.run(spec, json) == expected, "\(spec.formats) of \(json)") }
  }

  @Test func `a timestamp is ISO 8601 and stored in UTC`() throws {
    try check(
      ConversionSpec(type: .timestamp),
      [
        ("\"2015-07-04T10:20:30Z\"", "'2015-07-04 10:20:30'"), ("\"2015-07-04 10:20:30\"", "'2015-07-04 10:20:30'"),
        ("\"2015-07-04T10:20\"", "'2015-07-04 10:20:00'"), ("\"2015-07-04\"", "'2015-07-04 00:00:00'"),
        ("\" 2015-07-04 \"", "'2015-07-04 00:00:00'"), ("\"2015-07-04t10:20:30z\"", "'2015-07-04 10:20:30'"),
        ("\"2015-07-04T10:00:00+02:00\"", "'2015-07-04 08:00:00'"),
        ("\"2015-07-04T10:00:00-0430\"", "'2015-07-04 14:30:00'"),
        ("\"2015-07-04T01:00:00+09\"", "'2015-07-03 16:00:00'"),
        ("\"2015-12-31T23:30:00-01:00\"", "'2016-01-01 00:30:00'"),
        ("\"2015-07-04T10:20+00:00\"", "'2015-07-04 10:20:00'"),
        ("\"2015-07-04T10:00:00.123456789Z\"", "'2015-07-04 10:00:00.123456789'"),
        ("\"2015-07-04T10:00:00.500Z\"", "'2015-07-04 10:00:00.5'"),
        ("\"2015-07-04T10:00:00.000Z\"", "'2015-07-04 10:00:00'"),
        ("\"2015-07-04T10:00:00,25Z\"", "'2015-07-04 10:00:00.25'"), ("\"2015-07-04T10:00:00.1234567891Z\"", "invalid"),
        ("\"2016-02-29T00:00:00Z\"", "'2016-02-29 00:00:00'"), ("\"2015-02-29T00:00:00Z\"", "invalid"),
        ("\"2015-13-01\"", "invalid"), ("\"2015-07-04T24:30:00Z\"", "invalid"), ("\"2015-07-04T24:00:00Z\"", "invalid"),
        ("\"2015-07-04T10:61:00Z\"", "invalid"), ("\"2015-06-30T23:59:60Z\"", "invalid"), ("\"2015\"", "invalid"),
        ("\"20150704\"", "invalid"), ("\"2015-W27-6\"", "invalid"), ("\"2015-185\"", "invalid"),
        ("\"04.07.2015\"", "invalid"),
        ("1435968000", "invalid"), ("\"tomorrow\"", "invalid"), ("\"2015-07-04T10\"", "invalid"),
        ("\"2015-07-04T10:20:30 Z\"", "invalid"), ("\"2015-07-04  10:20:30\"", "invalid"), ("\"2015-7-04\"", "invalid"),
        ("\"2015-07-04T10:20:30+2\"", "invalid"), ("\"2015-07-04T10:20:30+02:60\"", "invalid"),
        ("\"2015-07-04T10:20:30+24:00\"", "invalid"), ("\"2015-07-04T10:20:30Zx\"", "invalid"),
        ("\"0001-01-01T00:00:00Z\"", "'0001-01-01 00:00:00'"), ("\"0001-01-01T00:00:00+01:00\"", "invalid"),
        ("\"9999-12-31T23:59:59.999999999Z\"", "'9999-12-31 23:59:59.999999999'"),
        ("\"9999-12-31T23:59:59-01:00\"", "invalid"), ("\"0000-01-01\"", "invalid"), ("\"\"", "null"),
        ("\"２015-07-04\"", "invalid"), ("\"2015-07-04T10:20:30.Z\"", "invalid"),
      ])
  }

  @Test func `a date is a day, or a timestamp's day as it is written`() throws {
    try check(
      ConversionSpec(type: .date),
      [
        ("\"2015-07-04\"", "'2015-07-04'"), ("\"2015-07-04T23:30:00-05:00\"", "'2015-07-04'"),
        ("\"2015-07-04 01:00:00\"", "'2015-07-04'"), ("\"2015-02-30\"", "invalid"), ("\"07/04/2015\"", "invalid"),
        ("20150704", "invalid"), ("\"2015-07-04T25:00\"", "invalid"), ("\"1900-02-29\"", "invalid"),
        ("\"2000-02-29\"", "'2000-02-29'"),
      ])
  }

  @Test func `a time is stored with seconds`() throws {
    try check(
      ConversionSpec(type: .time),
      [
        ("\"08:30\"", "'08:30:00'"), ("\"23:59:59\"", "'23:59:59'"), ("\"12:00:00.25\"", "'12:00:00.25'"),
        ("\"12:00:00.2500\"", "'12:00:00.25'"), ("\"24:00\"", "invalid"), ("\"8:30\"", "invalid"),
        ("\"12:60\"", "invalid"),
        ("\"noon\"", "invalid"), ("\"08:30Z\"", "invalid"), ("830", "invalid"),
      ])
    try check(
      ConversionSpec(type: .time, formats: ["h:mm a"]), [("\"1:05 pm\"", "'13:05:00'"), ("\"13:05\"", "invalid")])
  }

  @Test func `epochs are counted exactly, in their unit`() throws {
    try check(
      ConversionSpec(type: .timestamp, formats: ["epoch_s"]),
      [
        ("0", "'1970-01-01 00:00:00'"), ("\"1435968000\"", "'2015-07-04 00:00:00'"),
        ("1435968000.25", "'2015-07-04 00:00:00.25'"), ("-1", "'1969-12-31 23:59:59'"), ("\"yesterday\"", "invalid"),
        ("\"2015-07-04\"", "invalid"), ("1.4359680e9", "'2015-07-04 00:00:00'"), ("-0.25", "'1969-12-31 23:59:59.75'"),
        ("0.1234567891", "invalid"), ("0.1234567890", "'1970-01-01 00:00:00.123456789'"), ("true", "invalid"),
        ("253402300799.999999999", "'9999-12-31 23:59:59.999999999'"), ("253402300800", "invalid"), ("1e30", "invalid"),
        ("-62135596800", "'0001-01-01 00:00:00'"), ("-62135596801", "invalid"),
        ("1e-9", "'1970-01-01 00:00:00.000000001'"),
      ])
    try check(
      ConversionSpec(type: .timestamp, formats: ["epoch_ms"]),
      [
        ("1435968000000", "'2015-07-04 00:00:00'"), ("1435968000123", "'2015-07-04 00:00:00.123'"),
        ("-500", "'1969-12-31 23:59:59.5'"), ("0.000001", "'1970-01-01 00:00:00.000000001'"), ("0.0000001", "invalid"),
        ("5", "'1970-01-01 00:00:00.005'"),
      ])
    try check(
      ConversionSpec(type: .timestamp, formats: ["epoch_us"]), [("1435968000000001", "'2015-07-04 00:00:00.000001'")])
    try check(
      ConversionSpec(type: .timestamp, formats: ["epoch_ns"]),
      [
        ("1435968000000000001", "'2015-07-04 00:00:00.000000001'"), ("-1", "'1969-12-31 23:59:59.999999999'"),
        ("0.5", "invalid"),
      ])
  }

  @Test func `dotnet and rfc2822 read their own texts and nothing else`() throws {
    try check(
      ConversionSpec(type: .timestamp, formats: ["dotnet"]),
      [
        (#""\/Date(1435968000000)\/""#, "'2015-07-04 00:00:00'"),
        ("\"/Date(1435968000000+0200)/\"", "'2015-07-04 00:00:00'"),
        ("\"/Date(-500)/\"", "'1969-12-31 23:59:59.5'"), ("\"1435968000000\"", "invalid"), ("1435968000000", "invalid"),
        ("\"/Date(x)/\"", "invalid"), ("\"/Date(1+2)/\"", "invalid"), ("\"/Date()/\"", "invalid"),
      ])
    try check(
      ConversionSpec(type: .timestamp, formats: ["rfc2822"]),
      [
        ("\"Sat, 04 Jul 2015 10:00:00 +0200\"", "'2015-07-04 08:00:00'"),
        ("\"4 Jul 2015 10:00:00 GMT\"", "'2015-07-04 10:00:00'"),
        ("\"sat, 4 JUL 2015 10:00 EST\"", "'2015-07-04 15:00:00'"), ("\"Sun, 04 Jul 2015 10:00:00 +0200\"", "invalid"),
        ("\"Sat, 04 Jul 15 10:00:00 +0200 (CEST)\"", "'2015-07-04 08:00:00'"), ("\"4 Jul 2015 10:00:00\"", "invalid"),
        ("\"2015-07-04T00:00:00Z\"", "invalid"), ("\"31 Feb 2015 10:00:00 GMT\"", "invalid"),
      ])
  }

  @Test func `formats are tried in their order and nothing else is tried`() throws {
    try check(
      ConversionSpec(type: .date, formats: ["dd/MM/yyyy", "MM/dd/yyyy"]),
      [("\"05/02/2013\"", "'2013-02-05'"), ("\"05/25/2013\"", "'2013-05-25'"), ("\"2013-05-02\"", "invalid")])
    try check(
      ConversionSpec(type: .timestamp, formats: ["iso8601", "epoch_s", "rfc2822"]),
      [
        ("\"2015-07-04T00:00:00Z\"", "'2015-07-04 00:00:00'"), ("60", "'1970-01-01 00:01:00'"),
        ("\"Sat, 04 Jul 2015 10:00:00 +0200\"", "'2015-07-04 08:00:00'"), ("\"soon\"", "invalid"),
      ])
  }

  private static let patterns: [(String, [(String, String)])] = [
    (
      "yyyy-MM-dd HH:mm:ss",
      [
        ("2017-01-01 00:00:00", "'2017-01-01 00:00:00'"), ("2017-01-01T00:00:00", "invalid"),
        ("2017-01-01 00:00", "invalid"), ("2017-01-01 00:00:00 tail", "invalid"), ("2017-02-30 00:00:00", "invalid"),
        ("2017-1-01 00:00:00", "invalid"), ("17-01-01 00:00:00", "invalid"), ("2017-01-01 24:00:00", "invalid"),
      ]
    ),
    (
      "EEE MMM d HH:mm:ss Z yyyy",
      [
        ("Sat Jul 4 10:20:30 +0200 2015", "'2015-07-04 08:20:30'"), ("Sat Foo 4 10:20:30 +0200 2015", "invalid"),
        ("SATURDAY july 14 10:20:30 Z 2018", "'2018-07-14 10:20:30'"), ("Fri Jul 4 10:20:30 +0200 2015", "invalid"),
      ]
    ),
    (
      "MM/dd/yyyy h:mm a",
      [
        ("07/04/2015 12:05 AM", "'2015-07-04 00:05:00'"), ("07/04/2015 12:05 PM", "'2015-07-04 12:05:00'"),
        ("07/04/2015 1:05 pm", "'2015-07-04 13:05:00'"), ("07/04/2015 13:05 PM", "invalid"),
        ("07/04/2015 0:05 PM", "invalid"), ("07/04/2015 1:05 xm", "invalid"),
      ]
    ),
    (
      "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
      [
        ("2014-03-01T12:00:00.250+0900", "'2014-03-01 03:00:00.25'"),
        ("2014-03-01T12:00:00.125Z", "'2014-03-01 12:00:00.125'"),
        ("2014-03-01T12:00:00+0900", "invalid"), ("2014-03-01T12:00:00.25+0900", "invalid"),
        ("2014-03-01T12:00:00.250+09:00", "'2014-03-01 03:00:00.25'"),
        ("2014-03-01T12:00:00.250+09", "'2014-03-01 03:00:00.25'"),
      ]
    ),
    ("yyyy-MM-dd", [("2013-05-02", "'2013-05-02 00:00:00'"), ("2013-5-2", "invalid")]),
    ("yyyyMMdd", [("20130502", "'2013-05-02 00:00:00'"), ("2013052", "invalid"), ("201305020", "invalid")]),
    (
      "d.M.yy", [("2.5.69", "'1969-05-02 00:00:00'"), ("02.05.68", "'2068-05-02 00:00:00'"), ("2.5.2013", "invalid")]
    ),
    (
      "yyyy-DDD",
      [("2016-366", "'2016-12-31 00:00:00'"), ("2015-366", "invalid"), ("2015-001", "'2015-01-01 00:00:00'")]
    ),
    (
      "dd MMMM yyyy 'o''clock' k",
      [("01 May 2013 o'clock 24", "'2013-05-01 00:00:00'"), ("01 May 2013 o'clock 0", "invalid")]
    ),
    ("dd/MMM/yyyy:HH:mm:ss XX", [("04/Jul/2015:10:00:00 -0430", "'2015-07-04 14:30:00'")]),
    (
      "yyyy-MM-dd HH:mm z",
      [
        ("2015-07-04 10:00 UTC", "'2015-07-04 10:00:00'"), ("2015-07-04 10:00 GMT+02:00", "'2015-07-04 08:00:00'"),
        ("2015-07-04 10:00 CEST", "invalid"),
      ]
    ),
    ("yyyy年MM月dd日", [("2015年07月04日", "'2015-07-04 00:00:00'")]),
    ("K:mm a, yyyy-MM-dd", [("0:30 PM, 2015-07-04", "'2015-07-04 12:30:00'"), ("12:30 PM, 2015-07-04", "invalid")]),
  ]

  @Test func `patterns are read strictly and whole`() throws {
    for (pattern, cases) in Self.patterns {
      try check(ConversionSpec(type: .timestamp, formats: [pattern]), cases.map { ("\"\($0.0)\"", $0.1) })
    }
    #expect(try Trial.run(ConversionSpec(type: .date, formats: ["yyyyMMdd"]), "20150704") == "'2015-07-04'")
    #expect(try Trial.run(ConversionSpec(type: .date, formats: ["yyyyMMdd"]), "20150704.0") == "invalid")
  }

  @Test func `a pattern without what its type needs is an issue with a hint`() {
    let table: [(ColumnType, String, String?, String?)] = [
      (.date, "yyyy-mm-dd", "no month", "MM is the month, mm are the minutes"), (.date, "yyyy-MM", "no day", "add dd"),
      (.date, "MM-dd", "no year", "add yyyy"), (.time, "yyyy-MM-dd", "no hours", "add HH"),
      (.timestamp, "yyyy-MM-dd HH:MM:ss", "month twice", "mm are the minutes"),
      (.timestamp, "yyyy-MM-dd hh:mm:ss", "without AM and PM", "HH"), (.timestamp, "yyyy-MM-dd HH:mm a", "beside", "h"),
      (.timestamp, "yyyy-MM-ddTHH:mm:ss", "'T' is no letter", "'T'"), (.timestamp, "YYYY-MM-dd", "'Y'", "yyyy"),
      (.timestamp, "yyyy-MM-DD", "day of the year", "dd is the day of the month"),
      (.timestamp, "epoch_sec", "'epoch_sec'", "'epoch_s'"),
      (.timestamp, "yyyy-MM-dd HH:ss", "no minutes", "mm"), (.timestamp, "yyyy-MM-dd'T", "not closed", nil),
      (.date, "", "empty", nil), (.date, "%d/%m/%Y", "pattern of strftime", "write 'dd/MM/yyyy'"),
      (.date, "%-d.%-m.%y", "strftime", "write 'd.M.yy'"), (.time, "%H:%M", "strftime", "write 'HH:mm'"),
      (.timestamp, "%Y-%m-%dT%H:%M:%S.%fZ", "strftime", "write 'yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z''"),
      (.timestamp, "%F %T%z", "strftime", "write 'yyyy-MM-dd HH:mm:ssxx'"), (.timestamp, "%s", "strftime", "'epoch_s'"),
      (.timestamp, "%G-%V", "strftime", "letters are those of Unicode"),
      (.date, "yyy-MM-dd", "'yyy'", nil), (.timestamp, "yyyy-MM-dd", nil, nil), (.date, "yyyy-MM-dd HH:mm", nil, nil),
      (.time, "HHmm", nil, nil), (.timestamp, "yyyy-MM-dd HH:mm:ss.SSSXXX", nil, nil),
    ]
    for (type, pattern, message, hint) in table {
      let issues = Trial.issues(ConversionSpec(type: type, formats: ["iso8601", pattern]))
      guard let message else {
        #expect(issues.isEmpty, "\(pattern)")
        continue
      }
      #expect(issues.first?.part == .format(1) && issues.first?.kind == .badDatePattern)
      #expect(issues.first?.message.contains(message) == true, "\(pattern): \(issues)")
      if let hint { #expect(issues.first?.hint?.contains(hint) == true, "\(pattern): \(issues)") }
    }
  }

  @Test func `two formats that read one text as two dates are found`() {
    let table: [([String], [Int]?)] = [
      (["dd/MM/yyyy", "MM/dd/yyyy"], [0, 1]), (["iso8601", "d.M.yy", "yy.M.d"], [1, 2]), (["HH:mm", "mm:ss"], [0, 1]),
      (["dd/MM/yyyy", "MM-dd-yyyy"], nil), (["yyyy-MM-dd", "yyyy-MM-dd HH:mm"], nil), (["epoch_s", "epoch_ms"], nil),
      (["dd/MM/yyyy", "d/M/yyyy"], nil), (["dd/MM/yyyy"], nil), ([], nil), (["dd/MM/yyyy", "T"], nil),
    ]
    for (formats, expected) in table {
      let found = DateFormat.ambiguity(among: formats)
      #expect(found.map { [$0.first, $0.second] } == expected, "\(formats)")
    }
  }

  @Test func `patterns write dates`() throws {
    let date = try #require(CivilDate("2015-07-04"))
    let time = try #require(CivilTime(hour: 13, minute: 5, second: 9, nanosecond: 120_000_000))
    let table = [
      ("yyyyMMdd", "20150704"), ("d.M.yy", "4.7.15"),
      ("EEE, dd MMM yyyy HH:mm:ss Z", "Sat, 04 Jul 2015 13:05:09 +0000"),
      ("EEEE MMMM", "Saturday July"), ("h:mm a K k", "1:05 PM 1 13"), ("ss.SSS", "09.120"), ("DDD", "185"),
      ("X XXX x xxx ZZZZZ z", "Z Z +00 +00:00 Z GMT"), ("'y'''", "y'"),
    ]
    for (pattern, expected) in table { #expect(try DatePattern(pattern).format(date, time) == expected) }
    #expect(try DatePattern("XXX xx x").format(date, time, offset: -16_200) == "-04:30 -0430 -0430")
  }

  @Test func `formats write instants`() throws {
    let instant = Instant(seconds: 1_435_968_000, nanoseconds: 250_000_000)
    let table = [
      ("iso8601", "2015-07-04T00:00:00.25Z"), ("epoch_s", "1435968000.25"), ("epoch_ms", "1435968000250"),
      ("epoch_ns", "1435968000250000000"), ("rfc2822", "Sat, 04 Jul 2015 00:00:00 +0000"),
      ("dotnet", "/Date(1435968000250)/"), ("yyyyMMdd", "20150704"),
    ]
    for (name, expected) in table { #expect(try DateFormat(name).format(instant) == expected) }
    let early = Instant(seconds: -1, nanoseconds: 500_000_000)
    #expect(try DateFormat("epoch_s").format(early) == "-0.5")
    #expect(try DateFormat("epoch_ms").format(early) == "-500")
    #expect(instant.stored == "2015-07-04 00:00:00.25")
  }

  @Test func `dates of HTTP headers are read in three forms`() {
    let seconds: Int64 = 784_111_777
    for text in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      " Sun, 06 Nov 1994 08:49:37 GMT ",
    ] {
      #expect(Instant(httpDate: text)?.seconds == seconds, "\(text)")
    }
    for text in ["soon", "", "120", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37"] {
      #expect(Instant(httpDate: text) == nil, "\(text)")
    }
  }

  @Test func `days are counted as another algorithm counts them`() throws {
    var year = 1
    var month = 1
    var day = 1
    // From the first day on, one by one, over more than two cycles of 400 years.
    for number in stride(from: -719_162, to: -719_162 + 320_000, by: 1) {
      let date = CivilDate(daysSinceEpoch: number)
      if date?.year != year || date?.month != month || date?.day != day || date?.daysSinceEpoch != number {
        Issue.record("day \(number) is not \(year)-\(month)-\(day)")
        break
      }
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(CivilDate(daysSinceEpoch: 2_932_896)?.text == "9999-12-31")
    #expect(CivilDate(daysSinceEpoch: 2_932_897) == nil)
    #expect(CivilDate(daysSinceEpoch: -719_163) == nil)
  }

  @Test func `timestamps of random instants and offsets come back`() throws {
    var random = SystemRandomNumberGenerator()
    let conversion = try Trial.conversion(ConversionSpec(type: .timestamp))
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -62_135_500_000...253_402_200_000, using: &random)
      let offset = Int.random(in: -1439...1439, using: &random) * 60
      let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
      let zone =
        (offset < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
      let text = Self.systemText(seconds + Int64(offset)) + zone
      let arena = ByteArena()
      let found = Trial.text(conversion.convert(.text(arena.copy(text)), into: arena))
      #expect(found == "'\(Self.systemText(seconds))'", "\(text)")
      #expect(Instant(iso: text)?.seconds == seconds)
    }
  }

  /// The day and time of an instant in UTC, by the C library.
  private static func systemText(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    func padded(_ number: Int32, _ width: Int = 2) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let day = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    return day + " \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
  }

  @Test func `an epoch's day and time are those of the declared zone`() throws {
    let zone = "America/New_York"
    #expect(
      try Trial.run(ConversionSpec(type: .date, formats: ["epoch_s"], timeZone: zone), "1435968000") == "'2015-07-03'")
    #expect(
      try Trial.run(ConversionSpec(type: .time, formats: ["epoch_s"], timeZone: zone), "1435968000") == "'20:00:00'")
    #expect(try Trial.run(ConversionSpec(type: .date, formats: ["epoch_s"]), "1435968000") == "'2015-07-04'")
    #expect(
      try Trial.run(ConversionSpec(type: .timestamp, formats: ["epoch_s"], timeZone: zone), "1435968000")
        == "'2015-07-04 00:00:00'")
  }
}
