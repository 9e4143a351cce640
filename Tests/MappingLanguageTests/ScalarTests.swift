import Diagnostics
import JSONReading
import MappingLanguage
import MarkedYAML
import Testing
import Values

struct ScalarTests {
  private func source(_ entries: String) throws -> SourceDeclaration {
    try Reading.clean("ingest: 1\nsource: {name: shop, \(entries)}\n").source
  }

  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
    ("7d", .seconds(604_800)),
  ])
  func `a duration is a number and a unit`(_ text: String, _ duration: Duration) throws {
    #expect(try source("timeout: \(text)").timeout == duration)
    #expect(try source("retry: {wait: \(text)}").retry.wait == duration)
  }

  @Test func `nothing is a time to wait, but no time out`() throws {
    #expect(try source("retry: {wait: 0s, max_wait: 0ms}").retry.wait == .zero)
    for text in ["0s", "0ms", "00d"] {
      let found = Reading.text("ingest: 1\nsource: {name: shop, timeout: \(text)}\n").diagnostics
      #expect(found.map(\.code) == [.badValue])
    }
  }

  @Test(arguments: [
    "30", "s", "1.5h", "-1s", "1 h", "1H", "1w", "99999999999999999999s", "9999999999999d", "1h30m", "'1s '",
  ])
  func `what is no duration is refused`(_ text: String) {
    let found = Reading.text("ingest: 1\nsource: {name: shop, timeout: \(text)}\n").diagnostics
    #expect(found.map(\.code) == [.badValue])
  }

  @Test(arguments: [("64KB", 65_536), ("64MB", 67_108_864), ("1GB", 1_073_741_824)])
  func `a size is in powers of 1024`(_ text: String, _ bytes: Int) throws {
    #expect(try source("limits: {record: \(text)}").limits.record == bytes)
  }

  @Test(arguments: ["64", "64kb", "0MB", "1TB", "9999999999999999GB", "1.5MB"])
  func `what is no size is refused`(_ text: String) {
    let found = Reading.text("ingest: 1\nsource: {name: shop, limits: {body: \(text)}}\n").diagnostics
    #expect(found.map(\.code) == [.badValue])
  }

  @Test(arguments: [("5/s", 1), ("5/min", 60), ("5/h", 3600), ("5/d", 86_400)])
  func `a rate is a number of requests in a time`(_ text: String, _ seconds: Int) throws {
    let rate = try source("rate_limit: \(text)").rateLimit
    #expect(rate == RateLimitDeclaration(requests: 5, period: .seconds(seconds)))
  }

  @Test(arguments: [
    ("200", [200...200]), ("2xx", [200...299]), ("200-299", [200...299]), ("[200, 204]", [200...200, 204...204]),
    ("[2xx, 404]", [200...299, 404...404]),
  ])
  func `a status is a code, a class, a range, or a list`(_ text: String, _ ranges: [ClosedRange<Int>]) throws {
    let rule = try Reading.clean("ingest: 1\nerrors: [{status: \(text)}]\n").errors.first
    #expect(rule?.status?.ranges == ranges)
  }

  @Test(arguments: ["299-200", "7xx", "0xx", "99", "600", "2xX", "20x", "200-", "-200", "200-299-300", "[]"])
  func `what is no status is refused, and its rule is for no answer`(_ text: String) {
    let (mapping, found) = Reading.text("ingest: 1\nerrors: [{status: \(text)}]\n")
    #expect(mapping?.errors.isEmpty == true)
    #expect(found.map(\.code) == [.badValue])
  }

  @Test(arguments: [
    ("createdAt", "created_at"), ("HTTPServer", "http_server"), ("Id", "id"), ("AnnualRevenue", "annual_revenue"),
    ("userID", "user_id"), ("created_at", "created_at"), ("item2Name", "item2_name"), ("first-name", "first_name"),
    ("User.tags", "user_tags"), ("Größe", "größe"), ("ÄpfelÖl", "äpfel_öl"), ("", ""), ("A", "a"),
  ])
  func `names become snake_case`(_ name: String, _ snake: String) {
    #expect(SnakeCase.of(name) == snake)
  }

  @Test(arguments: [
    ("{a: 1, b: [x, null, true]}", #"{"a":1,"b":["x",null,true]}"#),
    ("[+1, .5, 5., -.5e3, 1E5, 012]", #"[1,0.5,5,-0.5e3,1E5,"012"]"#),
    (#""say \"hi\"\n\x01""#, #""say \"hi\"\n\u0001""#), ("12345678901234567890.10", "12345678901234567890.10"),
    ("1.e3", "1e3"),
    ("'5'", #""5""#), ("{}", "{}"), ("", "null"), ("café", #""café""#),
  ])
  func `a value that is written into a mapping is JSON text with all its digits`(_ yaml: String, _ json: String) throws
  {
    let root = try #require(YAMLReader.read(SourceFile(name: "a", text: "v: \(yaml)\n")).root)
    guard case .mapping(let entries) = root.content else { return }
    #expect(entries.first?.value.jsonText == json)
  }
}
