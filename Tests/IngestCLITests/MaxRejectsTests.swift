import IngestCLI
import Testing

struct MaxRejectsTests {
  @Test(arguments: [
    ("0", MaxRejects.count(0)), ("12", .count(12)), ("0%", .share(thousandths: 0)),
    ("100%", .share(thousandths: 100_000)),
    ("49%", .share(thousandths: 49_000)), ("0.5%", .share(thousandths: 500)), ("12.345%", .share(thousandths: 12_345)),
  ])
  func `a number or a percentage is read`(_ text: String, _ limit: MaxRejects) {
    #expect(MaxRejects(text) == limit)
  }

  @Test(arguments: [
    "", "%", "many", "-1", "+1", "1.5", "101%", "100.001%", "1.%", ".5%", "1.2345%", "1.2.3%", "5 %", "١%",
    "99999999999999999999",
  ])
  func `anything else is not`(_ text: String) { #expect(MaxRejects(text) == nil) }

  @Test(arguments: [
    (MaxRejects.count(2), 2, 2, true), (.count(1), 2, 1000, false), (.share(thousandths: 50_000), 1, 2, true),
    (.share(thousandths: 49_000), 1, 2, false), (.share(thousandths: 0), 0, 5, true),
    (.share(thousandths: 0), 1, 5, false), (.share(thousandths: 10_000), 1, 10, true),
    (.share(thousandths: 1), Int.max / 100_000, Int.max, true), (.share(thousandths: 1), Int.max, Int.max, false),
  ])
  func `a share is compared exactly`(_ limit: MaxRejects, _ rejected: Int, _ received: Int, _ allowed: Bool) {
    #expect(limit.allows(rejected, of: received) == allowed)
  }
}
