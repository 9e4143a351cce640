import JSONReading
import Records
import TestSupport
import Testing

/// What is taken the short way is what the long way gives: each value is mapped twice, once by a field that has a choice of
/// paths and so goes the long way always.
struct FieldLaneTests {
  private static let values = [
    "0", "-0", "7", "-7", "42", "999999999999999999", "-999999999999999999", "1000000000000000000",
    "9223372036854775807", "9223372036854775808", "-9223372036854775807", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "1.5", "-1.5", "0.1", "-0.0", "0.30000000000000004", "1e3", "1E-3",
    "566.7660625541783", "9007199254740991", "9007199254740992", "9007199254740993", "90071992547409.93",
    "0.9007199254740993", "123456789012345678.5", "1.0", "100", "0.000000000000000001", "12345678.12345678",
    "0.1234567890123456789", "0.12345678901234567890", "0.12345678e5", "true", "false", "\"\"",
    "\" \"",
    "\"a\"", "\" a \"", "\"42\"", "\"true\"", "\"\\u0061\"", "\"a\\n\\\"b\\u00e9\\ud83d\\ude00\"", "\"\\u0000\"",
    "\"2024-02-2\\u0039\"",
    "\"1.50\"", "{}", "[]", "[1]", "\"2024-02-29\"",
    "\"2023-02-29\"", "\"1900-02-29\"", "\"2000-02-29\"", "\"2024-04-31\"", "\"2024-13-01\"", "\"2024-00-10\"",
    "\"2024-01-00\"", "\"0999-01-01\"", "\"0000-02-29\"", "\"2024-1-01\"", "\"2024-01-01 \"", "\"2024/01/01\"",
    "\"2024-12-31T23:59:59Z\"", "\"2024-12-31T23:59:60Z\"", "\"2024-12-31T24:00:00Z\"", "\"2024-12-31T23:60:00Z\"",
    "\"2024-12-31t23:59:59z\"", "\"2024-12-31 23:59:59Z\"", "\"2024-12-31T23:59:59.5Z\"",
    "\"2024-12-31T23:59:59.500Z\"",
    "\"2024-12-31T23:59:59.000Z\"", "\"2024-12-31T23:59:59.Z\"", "\"2024-12-31T23:59:59.123456789Z\"",
    "\"2024-12-31T23:59:59.1234567890Z\"", "\"2024-12-31T23:59:59.12x4Z\"", "\"2024-12-31T23:59:59+00:00\"",
    "\"2024-12-31T23:59:59+02:00\"", "\"2024-12-31T23:59:59\"", "\"2024-12-31T23:59Z\"", "\"2024-02-30T00:00:00Z\"",
  ]

  @Test(arguments: ["any", "text", "integer", "real", "boolean", "date", "timestamp", "decimal", "uuid"])
  func `the short way gives what the long way gives`(_ type: String) throws {
    try compare(Self.values, as: "type: \(type)")
  }

  @Test func `a zone does not touch a time with an offset, nor the day that is written`() throws {
    for type in ["date", "timestamp"] {
      try compare(Self.values, as: "type: \(type), timezone: Europe/Berlin")
    }
  }

  @Test(arguments: Seed.trials(10))
  func `so it does for random numbers and times`(_ seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    }
    let numbers = (0..<200).map { _ in
      let whole =
        Int.random(in: 0...3, using: &random) == 0
        ? "0"
        : "\(Int.random(in: 1...9, using: &random))"
          + digits(Int.random(in: 0...19, using: &random))
      let fraction = Bool.random(using: &random) ? "." + digits(Int.random(in: 1...19, using: &random)) : ""
      return (Bool.random(using: &random) ? "-" : "") + whole + fraction
    }
    for type in ["any", "text", "integer", "real"] { try compare(numbers, as: "type: \(type)") }
    let times = (0..<200).map { _ in
      let day = "\(digits(4))-\(digits(1))\(digits(1))-\(digits(1))\(digits(1))"
      let fraction = Bool.random(using: &random) ? "." + digits(Int.random(in: 1...10, using: &random)) : ""
      return "\"\(day)T\(digits(2)):\(digits(2)):\(digits(2))\(fraction)Z\""
    }
    try compare(times, as: "type: timestamp")
  }

  private func compare(_ values: [String], as type: String) throws {
    let field = { (from: String) in "{from: \(from), \(type)}" }
    let trial = try Trial(
      records: "Item: {write: append, fields: {short: \(field("a")), long: \(field("[b, a]"))}}", at: ".: Item")
    for value in values {
      let outcome = try trial.map("[{\"a\": \(value)}]")
      let rejected = outcome.batch.rejections.first
      // What the long way alone refuses was taken by mistake.
      #expect(rejected?.field != "long", "\(value) as \(type): \(rejected?.reason ?? "")")
      guard rejected == nil, let row = outcome.batch.tables.first?.row(0), let (short, long) = pair(row) else {
        continue
      }
      #expect(short.isSame(as: long), "\(value) as \(type): \(outcome.rows)")
    }
  }

  private func pair(_ row: ArraySlice<Cell>) -> (Cell, Cell)? {
    guard row.count == 2, let first = row.first, let last = row.last else { return nil }
    return (first, last)
  }
}
