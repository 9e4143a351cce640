import JSONReading
import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct ConditionTests {
  private let path = JSONReading.KeyPath(origin: .value, steps: [.member(JSONName("v"))], text: "v")

  /// `json` nil: the value is missing.
  private func holds(_ test: Condition.Test, _ json: String?) throws -> Bool {
    let (condition, issues) = CompiledCondition.compile(.test(path, test))
    #expect(issues.isEmpty)
    let arena = ByteArena()
    let input = try json.map { ConditionInput.value(try Trial.raw($0, arena)) } ?? .missing
    return try #require(condition).holds { (_: JSONReading.KeyPath) in input }
  }

  @Test func `a condition holds for the values that the language says`() throws {
    let table: [(Condition.Test, yes: [String?], no: [String?])] = [
      (
        .equals([.number("1")]), ["1", "\"1\"", "1.0", "\"1.00\"", "10e-1", "\"+1\""],
        ["true", "\"one\"", "\"11\"", "\" 1\"", "null", nil, "[1]", "1.0000000000000000000001"]
      ),
      (.equals([.text("1")]), ["1", "\"1\"", "1.0"], ["\"1.0\"", "true", nil]),
      (.equals([.text("a")]), ["\"a\""], ["\"A\"", "\"a \"", "null"]),
      (.equals([.text("é")]), ["\"\\u00e9\""], ["\"e\\u0301\""]),
      (.equals([.boolean(true)]), ["true"], ["1", "\"true\"", "false"]),
      (.equals([.null]), ["null", nil], ["0", "\"\"", "[]", "false"]),
      (.equals([.text("a"), .null]), ["\"a\"", "null", nil], ["\"b\""]),
      (.equals([.number("9007199254740993")]), ["9007199254740993"], ["9007199254740992"]),
      (.equals([.number("0")]), ["-0", "0.0", "0e999999999999"], ["1e-999999999999"]),
      (.differs([.text("x")]), ["\"y\"", nil, "null", "5"], ["\"x\""]),
      (.differs([.number("1"), .number("2")]), ["3", nil], ["1", "\"2\""]),
      (.differs([.null]), ["1"], ["null", nil]), (.exists(true), ["null", "1", "[]"], [nil]),
      (.exists(false), [nil], ["null", "0"]),
      (.type([.string]), ["\"1\""], ["1", nil, "null"]), (.type([.number]), ["1", "1.5"], ["\"1\"", "true"]),
      (.type([.integer]), ["1", "5.0", "1e3", "99999999999999999999"], ["1.5", "\"1\""]),
      (.type([.boolean]), ["true"], ["1"]), (.type([.object, .array]), ["{}", "[]"], ["\"\"", nil]),
      (.type([.null]), ["null"], [nil, "0"]),
      (.matches("[0-9]{2}"), ["\"ab12cd\""], ["\"a1b2\"", "12", nil, "null"]),
      (.matches("^É"), ["\"École\""], ["\"école\""]),
      (.greaterOrEqual(.number("9")), ["9", "\"10\"", "9.0"], ["8.99", "\"ten\"", nil, "null", "true", "\" 10\""]),
      (.less(.number("11")), ["9", "\"10\"", "-1e99"], ["11", "11.0", "\"a\""]),
      (.lessOrEqual(.number("11")), ["11.0"], ["11.01"]),
      (.greater(.text("2015-01-01")), ["\"2015-01-02\"", "\"2016\""], ["\"2014\"", "2016", "\"2015-01-01\""]),
      (.greater(.text("9")), ["\"10\"", "10"], ["\"8\"", "\"/\""]),
      (.less(.text("b")), ["\"a\"", "\"B\""], ["\"b\"", "\"é\"", "5"]), (.less(.null), [], ["null", nil, "1"]),
      (.less(.boolean(true)), [], ["false"]),
    ]
    for (test, yes, no) in table {
      for json in yes { #expect(try holds(test, json), "\(test) of \(json ?? "missing")") }
      for json in no { #expect(try !holds(test, json), "\(test) of \(json ?? "missing")") }
    }
  }

  @Test func `conditions combine`() throws {
    let other = JSONReading.KeyPath(origin: .value, steps: [.member(JSONName("w"))], text: "w")
    let condition = Condition.all([
      .any([.test(path, .equals([.number("1")])), .not(.test(other, .equals([.number("2")])))]),
      .test(path, .exists(true)),
    ])
    let compiled = try #require(CompiledCondition.compile(condition).condition)
    #expect(compiled.paths == [path, other])
    let arena = ByteArena()
    for (v, w, expected) in [("1", "2", true), ("3", "2", false), ("3", "4", true)] {
      let values = [try Trial.raw(v, arena), try Trial.raw(w, arena)]
      #expect(compiled.holds { (number: Int) in .value(values[number]) } == expected)
    }
    let four = try Trial.raw("4", arena)
    #expect(!compiled.holds { (number: Int) in number == 0 ? .missing : .value(four) })
  }

  @Test func `a bad pattern is an issue`() {
    let (condition, issues) = CompiledCondition.compile(.any([.test(path, .matches("(")), .test(path, .exists(true))]))
    #expect(condition == nil)
    #expect(issues.map(\.pattern) == ["("])
    #expect(RegularExpression.fault(in: "(")?.message.contains("parenthesis") == true)
    #expect(RegularExpression.fault(in: "é)")?.message.contains("(at character 2)") == true)
    #expect(RegularExpression.fault(in: "(a)") == nil)
  }
}
