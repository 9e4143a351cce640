import Glibc
import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct TimeZoneTests {
  @Test func `local times become the instants that Python's zoneinfo finds`() throws {
    try #require(TimeZoneTable.lines.count > 250)
    var zones: [String: TimeZoneRules] = [:]
    for line in TimeZoneTable.lines {
      let (name, local, seconds) = (line[0], line[1], try #require(Int64(line[2])))
      if zones[name] == nil { zones[name] = try TimeZoneRules.named(name) }
      let zone = try #require(zones[name])
      let naive = try #require(Instant(iso: local)).seconds
      #expect(zone.utc(fromLocal: naive) == seconds, "\(name) \(local)")
      // Unless the local time is in a gap, the way back leads to it.
      let offset = zone.offset(at: seconds)
      let back = seconds + Int64(offset)
      if back != naive { #expect(zone.offset(at: seconds - 1) != offset || back > naive, "\(name) \(local)") }
    }
  }

  @Test func `a declared zone is for values without an offset`() throws {
    let spec = ConversionSpec(type: .timestamp, timeZone: "America/New_York")
    for (json, expected) in [
      ("2015-07-04T10:00:00", "2015-07-04 14:00:00"), ("2015-01-04 10:00", "2015-01-04 15:00:00"),
      ("2015-07-04T10:00:00Z", "2015-07-04 10:00:00"), ("2015-07-04", "2015-07-04 04:00:00"),
      // In the gap, and in the overlap, the offset before the change counts.
      ("2015-03-08T02:30:00", "2015-03-08 07:30:00"), ("2015-11-01T01:30:00", "2015-11-01 05:30:00"),
      ("2150-07-04T10:00:00", "2150-07-04 14:00:00"), ("9999-12-31T10:00:00", "9999-12-31 15:00:00"),
      ("0001-01-01T00:00:00", "0001-01-01 04:56:02"),
    ] {
      #expect(try Trial.run(spec, "\"\(json)\"") == "'\(expected)'", "\(json)")
    }
    #expect(try Trial.run(spec, "\"9999-12-31T23:00:00\"") == "invalid")
    let patterned = ConversionSpec(type: .timestamp, formats: ["dd.MM.yyyy HH:mm"], timeZone: "Europe/Berlin")
    #expect(try Trial.run(patterned, "\"04.07.2015 10:00\"") == "'2015-07-04 08:00:00'")
    #expect(
      try Trial.run(ConversionSpec(type: .timestamp, timeZone: "UTC"), "\"2015-07-04\"") == "'2015-07-04 00:00:00'")
  }

  @Test func `names that are no zones are refused`() {
    for name in [
      "Europe/Pariss", "", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", "Europe", "Europe/", "zone.tab",
      "tzdata.zi", "Europe//Berlin",
      "europe/berlin", "Europe/Berlin\0", "right/Europe/Berlin",
    ] {
      let issues = Trial.issues(ConversionSpec(type: .timestamp, timeZone: name))
      #expect(issues.map(\.part) == [.timeZone] && issues.map(\.kind) == [.unknownTimeZone], "\(name)")
    }
    let issue = Trial.issues(ConversionSpec(type: .timestamp, timeZone: "Europe/Pariss")).first
    #expect(issue?.message == "no time zone is named 'Europe/Pariss'")
    #expect(issue?.hint == nil || issue?.hint == "did you mean 'Europe/Paris'?")
  }

  @Test func `a missing folder is named`() throws {
    do {
      _ = try TimeZoneRules.named("Asia/Tokyo", in: "/nowhere/zoneinfo")
      Issue.record("there is no such folder")
    } catch {
      #expect(error.message.contains("/nowhere/zoneinfo") && error.kind == .unknownTimeZone)
      #expect(error.hint?.contains("tzdata") == true)
    }
    // UTC needs no files.
    #expect(try TimeZoneRules.named("UTC", in: "/nowhere/zoneinfo") == nil)
    #expect(TimeZoneFolder.path("/nowhere/zoneinfo") == "/nowhere/zoneinfo")
    #expect(TimeZoneFolder.path("") == "/usr/share/zoneinfo" && TimeZoneFolder.path(nil) == "/usr/share/zoneinfo")
  }

  @Test func `rules of later years are read in all their notations`() throws {
    func rule(_ text: String) -> POSIXZoneRule? { Array(text.utf8).withUnsafeBytes { POSIXZoneRule($0) } }
    let summer = try #require(Instant(iso: "2050-07-01T12:00:00")).seconds
    let winter = try #require(Instant(iso: "2050-01-01T12:00:00")).seconds
    for (text, january, july) in [
      ("UTC0", 0, 0), ("<+0330>-3:30", 12_600, 12_600), ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600), ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 39_600, 37_800),
      ("XXX3YYY,J60/0,J300", -10_800, -7200), ("XXX3YYY,59,299/25", -10_800, -7200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", 7200, 10_800),
    ] {
      let found = try #require(rule(text), "\(text)")
      #expect(found.offset(at: winter) == january && found.offset(at: summer) == july, "\(text)")
    }
    for text in [
      "", "E5", "EST", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5 ", "EST25", "<EST5",
      "EST5EDT,J0,J1",
    ] {
      #expect(rule(text) == nil, "\(text)")
    }
  }

  @Test func `a file that is cut or changed is refused or read, and never crashes`() throws {
    let file = try #require(fopen(TimeZoneFolder.path + "/America/New_York", "rb"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    #expect(TZifFile.read(bytes) != nil)
    for length in 0..<bytes.count { #expect(TZifFile.read(Array(bytes[..<length])) == nil) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let zone = TZifFile.read(broken) {
        _ = zone.utc(fromLocal: 1_435_968_000) + zone.utc(fromLocal: 9_435_968_000)
      }
    }
  }
}
