import Foundation
import JSONReading
import Records
import Testing

@testable import Values  // what a text that came out converts to is tested here too

struct JQRunnerTests {
  private func show(_ result: JQResult) -> String {
    switch result {
    case .missing: "missing"
    case .invalid(let reason): "invalid " + reason
    case .interrupted: "interrupted"
    case .failed(let reason): "failed " + reason
    case .value(let value):
      switch value.kind {
      case .null: "null"
      case .boolean: "\(value.flag)"
      case .number: "\(value.flag ? "whole" : "number") \(String(decoding: value.text, as: UTF8.self))"
      case .text: "'\(String(decoding: value.text, as: UTF8.self))'"
      case .structure: String(decoding: value.text, as: UTF8.self)
      }
    }
  }

  private func run(_ program: String, _ json: String, _ limits: (Int, Int) = (20_000, 64 << 20)) throws -> String {
    let document = try JSONDocument(Array(json.utf8))
    let arena = ByteArena()
    let runner = JQRunner(
      try JQProgram(program), milliseconds: limits.0, mostMemory: 16 << 20, mostBytes: limits.1)
    return withExtendedLifetime(document) { show(runner.run(on: document.root, arena: arena)) }
  }

  @Test(arguments: [
    (".tags[]", #"{"id": 1, "tags": ["x", "y"]}"#, "'x'"), (".a + .b", #"{"a": 2, "b": 3}"#, "whole 5"),
    (".big + 1", #"{"big": 9007199254740995}"#, "invalid jq: string … cannot be added"),
    (".big + 1", #"{"big": 41}"#, "whole 42"),
    (".ids.main", #"{"ids": {"main": 1152921504606846977}}"#, "'1152921504606846977'"),
    (".rate", #"{"rate": 0.12345678901234567891}"#, "'0.12345678901234567891'"),
    (#"[.[] | type] | join(",")"#, "[1152921504606846977, 0.12345678901234567891, 21]", "'string,string,number'"),
    ("empty", "1", "missing"), (".[]", "[]", "missing"), (".x", "{}", "null"), ("nan", "1", "null"),
    (".[0], error", "[false]", "false"), (".a.b", #"{"a": 1}"#, "invalid jq: Cannot index number with string"),
    ("error(\"no price\")", "1", "invalid jq: no price"),
    ("error(.)", "\"secret\"", "invalid jq: the program failed on this value"),
    ("error({a: 1})", "1", "invalid jq: the program failed with an error that is no text"),
    ("infinite", "1", "invalid jq: a number of the output is infinite"),
    ("[-infinite]", "1", "invalid jq: a number of the output is infinite"),
    (
      "reduce range(300) as $i (1; [.]) | tojson", "1",
      "invalid jq: the output is a text of JSON from which libjq left out what is nested deeper than 256 levels"
    ),
    ("reduce range(250) as $i (1; [.]) | tojson | length", "1", "whole 501"),
    ("reduce range(600) as $i (null; [.])", "1", "invalid jq: the output is nested deeper than 512 levels"),
    ("reduce range(100000) as $i (null; [.])", "1", "invalid jq: the output is nested deeper than 512 levels"),
    ("reduce range(200000) as $i (null; [.]) | 1", "1", "whole 1"),
    ("[1114112] | implode", "1", "'\u{FFFD}'"),
    (
      "{b: 1, a: [true, false, null, -0.5, \"\\u0000\\\"\\n\\\\é\"], \"é\": {}}", "1",
      #"{"b":1,"a":[true,false,null,-0.5,"\u0000\"\n\\é"],"é":{}}"#
    ),
  ])
  func `a program's first output is the value`(_ program: String, _ json: String, _ expected: String) throws {
    #expect(try run(program, json) == expected)
  }

  @Test func `a number reaches jq as one or as a text, whole in either case`() throws {
    let table = [
      ("42", "whole 42"), ("-0", "whole -0"), ("1.10", "number 1.1"), ("1e3", "whole 1000"), ("1e22", "number 1e+22"),
      ("9007199254740992", "whole 9007199254740992"), ("9007199254740993", "'9007199254740993'"),
      ("-9007199254740993", "'-9007199254740993'"), ("100000000000000000000", "'100000000000000000000'"),
      ("123456789012.345", "number 123456789012.345"), ("1234567890123.456", "'1234567890123.456'"),
      ("1.000000000000000", "'1.000000000000000'"), ("0.000000000000000000001", "number 1e-21"), ("1e400", "'1e400'"),
      ("1e-400", "'1e-400'"), ("5e-324", "'5e-324'"), ("0.0", "whole 0"),
      ("1.7976931348623157e308", "'1.7976931348623157e308'"),
    ]
    let runner = JQRunner(try JQProgram("."))
    let arena = ByteArena()
    for (json, expected) in table {
      let document = try JSONDocument(Array(json.utf8))
      withExtendedLifetime(document) { #expect(show(runner.run(on: document.root, arena: arena)) == expected) }
    }
  }

  @Test func `a long number that comes out as text is a number again for its type`() throws {
    let document = try JSONDocument(Array(#"{"a": 9007199254740993, "b": 0.12345678901234567891}"#.utf8))
    let arena = ByteArena()
    let table: [(String, ColumnType, String)] = [
      (".a", .integer, "9007199254740993"), (".b", .decimal, "'0.12345678901234567891'"),
    ]
    for (program, type, expected) in table {
      let runner = JQRunner(try JQProgram(program))
      guard case .value(let raw) = runner.run(on: document.root, arena: arena) else {
        Issue.record("\(program) gave no value")
        continue
      }
      #expect(Trial.text(try Trial.conversion(ConversionSpec(type: type)).convert(raw, into: arena)) == expected)
    }
  }

  @Test func `texts come back byte for byte`() throws {
    let runner = JQRunner(try JQProgram(".[0]"))
    let arena = ByteArena()
    let texts = ["", "é", "e\u{301}", "\u{FFFF}", "😀", "a\0b", "\u{7F}\u{85}\u{2028}\r\n", "\u{FEFF}x"]
    for text in texts {
      for escaped in [false, true] {
        let units = text.utf16.map { String(format: "\\u%04x", $0) }.joined()
        let plain = escaped || text.utf8.contains { $0 < 0x20 } ? units : text
        let document = try JSONDocument(Array("[\"\(plain)\"]".utf8))
        guard case .value(let value) = runner.run(on: document.root, arena: arena) else {
          Issue.record("a text of \(text.utf8.count) bytes gave no value")
          continue
        }
        #expect(value.kind == .text && value.text.elementsEqual(text.utf8))
      }
    }
  }

  @Test func `names that look alike stay two members, and of equal names the last counts`() throws {
    let json = "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"a\": 3, \"\\u0061\": 4}"
    #expect(try run("[.[\"\u{E9}\"], .[\"e\u{301}\"], .a, length]", json) == "[1,2,4,3]")
  }

  @Test(arguments: ["range(infinite) | empty", "def f: f; f", "\"a\" * 1000000000 | length"])
  func `a program that does not end is given up`(_ program: String) throws {
    let started = ContinuousClock.now
    #expect(
      try run(program, "1", (150, 1 << 20))
        == "failed its jq program ran longer than 150 ms on this record, which is all that it may: make it simpler")
    #expect(ContinuousClock.now - started < .seconds(10))
  }

  @Test(arguments: [
    "[range(infinite)]", "def f: . + . | f; \"abcdefgh\" | f", "\"a\" * 1e9 | length", "\"abc\" | indices(\"\")",
    "def f(x): f(x + \"x\"); f(\"x\")", "reduce range(infinite) as $i (null; [.])", "[limit(1e9; repeat(1))]",
    "{} | .a[30000000] = 1", "{} | .a[1431655765] = 1", "{} | .a[2147483647] = 1",
  ])
  func `a program that builds without end is given up`(_ program: String) throws {
    #expect(
      try run(program, "1")
        == "failed its jq program wanted more memory than there is, or than the 16 MB that it may take on this record")
  }

  @Test func `what a program builds and lets go of is not counted against it`() throws {
    let program = "reduce range(400000) as $i (0; . + ([range(20)] | length)) | tostring"
    #expect(try run(program, "[[1]]") == "'8000000'")
    // Its input is not its own.
    let long = "[" + Array(repeating: "1", count: 400_000).joined(separator: ",") + "]"
    #expect(try run("length", long) == "whole 400000")
  }

  @Test func `values nested as deep as memory allows are let go of`() throws {
    let document = try JSONDocument(Array("1".utf8))
    let arena = ByteArena()
    let runner = JQRunner(try JQProgram("reduce range(2500000) as $i (null; [.]) | 1"), milliseconds: 60_000)
    withExtendedLifetime(document) { #expect(show(runner.run(on: document.root, arena: arena)) == "whole 1") }
  }

  @Test func `what libjq takes for impossible ends the program and not the process`() throws {
    #expect(
      try run("1e300 | todate", "1") == "failed libjq gave up on this record: one of its own assertions failed")
  }

  @Test func `a program that runs is asked to stop, and the next one runs`() throws {
    var isAsked = true
    let runner = JQRunner(
      try JQProgram("if . == 1 then range(infinite) | empty else . end"), isInterrupted: { isAsked })
    let arena = ByteArena()
    let started = ContinuousClock.now
    for (json, expected) in [("1", "interrupted"), ("2", "whole 2")] {
      let document = try JSONDocument(Array(json.utf8))
      withExtendedLifetime(document) { #expect(show(runner.run(on: document.root, arena: arena)) == expected) }
      isAsked = false
    }
    #expect(ContinuousClock.now - started < .seconds(2))
  }

  @Test func `after a time-out the runner goes on`() throws {
    let runner = JQRunner(
      try JQProgram("if . == 1 then range(infinite) | empty elif . == 2 then \"a\" * 1e9 | 1 else . end"),
      milliseconds: 300)
    let arena = ByteArena()
    let results = try ["3", "1", "3", "2", "3"].map { json in
      let document = try JSONDocument(Array(json.utf8))
      return withExtendedLifetime(document) { show(runner.run(on: document.root, arena: arena)) }
    }
    let late = "failed its jq program ran longer than 300 ms on this record, which is all that it may: make it simpler"
    #expect(results == ["whole 3", late, "whole 3", late, "whole 3"])
  }

  @Test func `an output that is too long is refused`() throws {
    let reason = "invalid jq: the output is longer than 1000 bytes"
    #expect(try run("\"abcdefghij\" * 101", "1", (20_000, 1_000)) == reason)
    #expect(try run("[range(400)]", "1", (20_000, 1_000)) == reason)
    #expect(try run("\"abcdefghij\" * 100 | length", "1", (20_000, 1_000)) == "whole 1000")
  }

  @Test func `programs run side by side, and one program in several threads`() async throws {
    let programs = try [JQProgram(".a"), JQProgram(".a * 2")]
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<4 {
        group.addTask {
          let runner = JQRunner(programs[index % 2])
          let arena = ByteArena()
          var sum = 0
          for number in 0..<200 {
            let document = try JSONDocument(Array("{\"a\": \(number)}".utf8))
            if case .value(let value) = runner.run(on: document.root, arena: arena) {
              sum += Int(String(decoding: value.text, as: UTF8.self)) ?? 0
            }
          }
          return sum
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted()
    }
    #expect(sums == [19_900, 19_900, 39_800, 39_800])
  }

  /// In a process of its own, where nobody else allocates.
  @Test func `many runs take no memory`() async {
    await #expect(processExitsWith: .success) {
      let program = "{a, b: [.b[] | . + \"x\"], c: (.c | tostring), d: \"\\(.a) of many\"}, error"
      let json =
        #"{"a": 12345678901234567890, "b": ["one", "tw\u006f", "three"], "c": {"d": [1.5, null, {"e": true}]}}"#
      let runners = try [program, ".b | error", ".b[0] + 1", "empty"].map { JQRunner(try JQProgram($0)) }
      let document = try JSONDocument(Array(json.utf8))
      let arena = ByteArena()
      var before = 0
      let (first, last) = (1_000, 11_000)
      for number in 1...last {
        if number == first { before = try Self.residentBytes() }
        for runner in runners { _ = runner.run(on: document.root, arena: arena) }
        arena.reset()
      }
      // One value lost in each run would be about as much.
      let grown = try Self.residentBytes() - before
      guard grown < 1 << 19 else { throw Grown(bytes: grown) }
    }
  }

  private static func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(pages[1]) ?? 0) * Int(getpagesize())
  }

  private struct Grown: Error { let bytes: Int }
}
