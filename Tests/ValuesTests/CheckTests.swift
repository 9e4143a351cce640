import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct CheckTests {
  private static let table: [(ColumnType, Check, [(String, String)])] = [
    (
      .integer, Check(min: .number("0"), max: .number("150")),
      [("150", "150"), ("151", "invalid"), ("-1", "invalid"), ("null", "null"), ("\"\"", "null")]
    ),
    (.integer, Check(min: .number("0.5"), max: .number("1e30")), [("0", "invalid"), ("1", "1")]),
    (
      .decimal, Check(min: .number("0.10"), max: .number("9.99")),
      [("0.1", "'0.1'"), ("\"0.0999999999999999999\"", "invalid"), ("10", "invalid"), ("9.990", "'9.990'")]
    ),
    (.real, Check(min: .number("-1"), max: .number("1")), [("1.0", "real 1.0"), ("1.0000001", "invalid")]),
    (
      .text, Check(pattern: "^[A-Z]+$", minLength: 2, maxLength: 3),
      [("\"AB\"", "'AB'"), ("\"Ab\"", "invalid"), ("\"ABCD\"", "invalid"), ("\"A\"", "invalid")]
    ),
    (.text, Check(maxLength: 2), [("\"😀é\"", "'😀é'"), ("\"e\\u0301x\"", "invalid")]),
    (
      .text, Check(min: .text("b"), max: .text("d")),
      [("\"b\"", "'b'"), ("\"a\"", "invalid"), ("\"d\"", "'d'"), ("\"da\"", "invalid"), ("\"é\"", "invalid")]
    ),
    (
      .text, Check(oneOf: [.text("S"), .text("M"), .number("5"), .null]),
      [("\"S\"", "'S'"), ("\"L\"", "invalid"), ("5", "'5'"), ("\"s\"", "invalid")]
    ),
    (.decimal, Check(oneOf: [.number("1.50")]), [("1.5", "'1.5'"), ("1.51", "invalid")]),
    (.integer, Check(oneOf: [.text("7")]), [("7.0", "7"), ("8", "invalid")]),
    (.boolean, Check(oneOf: [.boolean(true)]), [("\"yes\"", "1"), ("0", "invalid")]),
    (
      .timestamp, Check(min: .text("2015-07-04T00:00:00+02:00")),
      [
        ("\"2015-07-03T22:00:00Z\"", "'2015-07-03 22:00:00'"), ("\"2015-07-03T21:59:59.9Z\"", "invalid"),
        ("\"2015-07-03T22:00:00.1Z\"", "'2015-07-03 22:00:00.1'"),
      ]
    ),
    (
      .date, Check(max: .text("2015-07-04")),
      [("\"2015-07-04T23:00\"", "'2015-07-04'"), ("\"2015-07-05\"", "invalid")]
    ),
    (
      .any, Check(min: .number("5")),
      [
        ("5", "5"), ("\"7\"", "'7'"), ("4.5", "invalid"), ("\"abc\"", "invalid"),
        ("99999999999999999999", "'99999999999999999999'"),
      ]
    ),
    (.any, Check(oneOf: [.number("5"), .text("a")]), [("5.0", "real 5.0"), ("\"a\"", "'a'"), ("6", "invalid")]),
    (.bytes, Check(maxLength: 2), [("\"AAA=\"", "bytes [0, 0]"), ("\"AAAA\"", "invalid")]),
    (.integer, Check(pattern: "^[0-9]{3}$"), [("\" 123 \"", "123"), ("12", "invalid")]),
  ]

  @Test func `a check compares as the type compares`() throws {
    for (type, check, cases) in Self.table {
      for (json, expected) in cases {
        #expect(
          try Trial.run(ConversionSpec(type: type, check: check), json) == expected, "\(type) \(check) of \(json)")
      }
    }
  }

  @Test func `a check looks at the value of the table, and lets its null pass`() throws {
    let spec = ConversionSpec(
      type: .integer, map: [(.text("a"), .number("5")), (.text("b"), .number("50")), (.text("c"), .null)],
      check: Check(max: .number("10")))
    for (json, expected) in [("\"a\"", "5"), ("\"b\"", "invalid"), ("\"c\"", "null")] {
      #expect(try Trial.run(spec, json) == expected)
    }
  }
}
