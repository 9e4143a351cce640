// For windows of a few bytes, which the package API does not offer.
@testable import JSONReading
import TestSupport
import Testing

struct NDJSONTests {
  /// What the reader does, line by line, with windows of this size.
  static func trace(
    _ text: String, places: [String] = ["."], captures: [PlaceTree.Capture] = [], limits: JSONLimits = JSONLimits(),
    format: BodyFormat = BodyFormat(), window: Int, stopAfter: Int = .max
  ) throws -> [String] {
    let tree = PlaceTree(places: places.map { PlaceTree.Place(path: path($0)) }, captures: captures)
    let reader = NDJSONReader(tree: tree, limits: limits, format: format, windowSize: window)
    var receiver = BodyTrace()
    try reader.readLines(
      .memory(Array(text.utf8)), into: &receiver, begin: { line, receiver in receiver.lines.append("begin \(line)") },
      end: { line, failure, summary, receiver in
        if let failure {
          receiver.lines.append("bad \(line) \(failure.code.rawValue) \(failure.line):\(failure.offset)")
        } else {
          receiver.lines.append("end \(line) \(summary.records) \(summary.places[0])")
        }
        return line < stopAfter
      })
    return receiver.lines
  }

  static let windows = [1, 2, 3, 8, 33, 1 << 20]

  @Test(arguments: windows)
  func `each line that is not blank is a body of its own`(_ window: Int) throws {
    let text = "{\"a\":1}\r\n\n  \n[{\"a\":2},3]\n\"x\"\nnull\n{}\n-1.5e3"
    let lines = try Self.trace(text, window: window)
    #expect(
      lines == [
        "begin 1", #"0  {"a":1}"#, "end 1 1 found", "begin 4", #"0 /0 {"a":2}"#, "0 /1 3", "end 4 2 found", "begin 5",
        #"0  "x""#, "end 5 1 found", "begin 6", "end 6 0 null", "begin 7", "end 7 0 found", "begin 8", "0  -1.5e3",
        "end 8 1 found",
      ])
  }

  static let broken: [(text: String, last: String, records: Int)] = [
    ("{\"a\":1}\n{\"a\":2}\n{\"a\":3\n{\"a\":4}\n", "bad 3 syntax 3:6", 2),
    ("{\"a\":1}\n{\"a\":2} x\n{\"a\":4}\n", "bad 2 syntax 2:8", 2),
    ("{\"a\":1}\n{\"a\":\"2}\n{\"a\":4}\n", "bad 2 syntax 2:8", 1),
    ("{\"a\":1}\n{\"a\":\n4}\n", "bad 2 syntax 2:5", 1),
    ("1\n2\n\"\u{1}\"\n", "bad 3 syntax 3:1", 2),
    ("1\n2\n \"", "bad 3 syntax 3:1", 2),
    ("\"x", "bad 1 syntax 1:0", 0),
    ("1\n  [1,", "bad 2 syntax 2:5", 2),
    ("1\n[\"\\ud800\"]\n", "bad 2 invalid-text 2:2", 1),
    ("1\n2 3\n", "bad 2 syntax 2:2", 2),
    ("1\n[1,x,\"\n", "bad 2 syntax 2:3", 2),
  ]

  @Test(arguments: broken.indices)
  func `behind a broken line nothing is read`(_ index: Int) throws {
    let sample = Self.broken[index]
    for window in Self.windows {
      let lines = try Self.trace(sample.text, window: window)
      #expect(lines.last == sample.last, "window of \(window)")
      #expect(lines.count { $0.hasPrefix("0 ") } == sample.records, "window of \(window): \(lines)")
    }
  }

  @Test(arguments: windows)
  func `bytes that are not UTF-8 are an error of their line`(_ window: Int) throws {
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    var receiver = BodyTrace()
    try NDJSONReader(tree: tree, limits: JSONLimits(), format: BodyFormat(), windowSize: window).readLines(
      .memory(Array("1\n\n[\"a".utf8) + [0xFF] + Array("\"]\n2\n".utf8)), into: &receiver,
      begin: { _, _ in },
      end: { line, failure, _, receiver in
        if let failure { receiver.lines.append("\(line) \(failure.code) \(failure.line):\(failure.offset)") }
        return true
      })
    #expect(receiver.lines == ["0  1", "3 invalidText 3:3"])
  }

  @Test(arguments: windows)
  func `captures of a line are read before its records`(_ window: Int) throws {
    let text = "{\"l\":[1,2],\"n\":\"A\"}\n{\"l\":[3]}\n{\"n\":\"C\",\"l\":4}\n"
    let lines = try Self.trace(text, places: ["l"], captures: [capture(0, 1, "n")], window: window)
    #expect(
      lines.filter { $0.hasPrefix("0") } == ["0 /l/0 1 <A>", "0 /l/1 2 <A>", "0 /l/0 3 <->", "0 /l 4 <C>"])
  }

  @Test(arguments: windows)
  func `a line that is longer than a record may be is an error`(_ window: Int) throws {
    let text = "1\n\"" + String(repeating: "x", count: 5000) + "\"\n2\n"
    let lines = try Self.trace(text, limits: JSONLimits(record: 1000), window: window)
    #expect(lines.last == "bad 2 limit-record 2:0")
    let first = try Self.trace(String(text.dropFirst(2)), limits: JSONLimits(record: 1000), window: window)
    #expect(first == ["begin 1", "bad 1 limit-record 1:0"])
  }

  @Test func `the caller may stop, and lenient lines may hold comments`() throws {
    #expect(try Self.trace("1\n2\n3\n", window: 64, stopAfter: 2).last == "end 2 1 found")
    let lines = try Self.trace("// one\n[1,] // two\n/* three\n*/ 2\n", format: BodyFormat(isLenient: true), window: 5)
    #expect(lines.filter { $0.hasPrefix("0") } == ["0 /0 1", "0  2"])
  }

  private static let values = [
    "{}", "{\"a\":1}", "{\"a\":{\"b\":[1,2,{}]},\"c\":\"x\\n\"}", "{\"a\\u0062\":null}", "[]", "[{\"a\":1},{}]", "null",
    "7", "\"s\"",
    "{\"a\":1,}", "{\"a\":1}}", "{\"a\":1", "{\"a\"", "{", "{\"a\":1} 2", "{\"a\":[[[[1]]]]}", "{\"a\":[[[[[1]]]]]}",
    "{\"a\":\"\\x\"}", " {\"a\":1} ", "{\"a\":\"" + String(repeating: "y", count: 300) + "\"}",
  ]

  /// Another place, which is nowhere, makes a reader take the long way.
  @Test(arguments: Seed.trials(40))
  func `the short way through a line that is one record gives what the long way gives`(_ seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let text = (0..<8).map { _ in Self.values.randomElement(using: &random) ?? "" }.joined(separator: "\n")
    let limits = JSONLimits(record: 200, depth: 6)
    for window in Self.windows {
      for format in [BodyFormat(), BodyFormat(isLenient: true)] {
        let short = try Self.trace(text, limits: limits, format: format, window: window)
        let long = try Self.trace(text, places: [".", "nowhere"], limits: limits, format: format, window: window)
        #expect(short == long, "window of \(window): \(text)")
      }
    }
  }

  @Test func `an escape in a line before is none of this line's`() throws {
    struct Names: RecordReceiver {
      var escaped: [Bool] = []
      mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
        record.forEachMember { name, _ in escaped.append(name.hasEscapes) }
      }
    }
    var names = Names()
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    try NDJSONReader(tree: tree).readLines(
      .memory(Array("{\"a\\n\":1}\n{\"b\":2}\n".utf8)), into: &names, begin: { _, _ in },
      end: { _, failure, _, _ in failure == nil })
    #expect(names.escaped == [true, false])
  }
}
