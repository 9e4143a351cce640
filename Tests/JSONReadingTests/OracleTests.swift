import CStage1
import JSONReading
import Testing

/// simdjson's DOM as a second opinion. It refuses integers beyond 64 bits and numbers beyond a double, takes half a pair
/// of surrogates for some other character, and knows other limits of depth: such texts are left out.
struct OracleTests {
  struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ (state << 31)
    }
  }

  static func oracle(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return stage1_oracle_accepts(start, buffer.count)
    }
  }

  static func isRead(_ bytes: [UInt8]) -> Bool { (try? JSONDocument(bytes, limits: JSONLimits(depth: 1000))) != nil }

  /// Random JSON text, of at most so many levels.
  static func value(_ random: inout Random, _ levels: Int) -> String {
    let space = ["", "", "", " ", "\n", "\t \r\n"].randomElement(using: &random) ?? ""
    func text() -> String {
      let parts = ["a", "é", "漢", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "{", "]", ",", ":", " "]
      return "\""
        + (0..<Int.random(in: 0..<8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined() + "\""
    }
    let count = Int.random(in: 0..<5, using: &random)
    switch Int.random(in: 0..<(levels > 0 ? 9 : 6), using: &random) {
    case 0: return space + ["true", "false", "null"][Int.random(in: 0..<3, using: &random)] + space
    case 1: return "\(Int.random(in: -1000...1000, using: &random))"
    case 2:
      return ["0", "-0", "1.5", "-0.25e+10", "1E5", "123456789012345678", "0.1e-7"].randomElement(using: &random) ?? "0"
    case 3, 4, 5: return space + text() + space
    case 6:
      return "[" + space + (0..<count).map { _ in value(&random, levels - 1) }.joined(separator: ",") + "]" + space
    default:
      return space + "{"
        + (0..<count).map { _ in text() + space + ":" + value(&random, levels - 1) }.joined(separator: ",") + space
        + "}"
    }
  }

  /// The text with one byte changed, put in or left out.
  static func mutate(_ text: [UInt8], _ random: inout Random) -> [UInt8] {
    var text = text
    let marks = Array("\"\\{}[]:,0-.eE+tfn x/\u{0}\n\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    let at = Int.random(in: 0..<text.count, using: &random)
    let mark = marks.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<3, using: &random) {
    case 0: text[at] = mark
    case 1: text.insert(mark, at: at)
    default: text.remove(at: at)
    }
    return text
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Large numbers and half pairs of surrogates are where the two may differ.
  static func isComparable(_ text: [UInt8]) -> Bool {
    let digits = text.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map(\.count).max() ?? 0
    let surrogates = zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "u") && $1 == UInt8(ascii: "d") }
    let exponents = [3, 4].contains { distance in
      zip(text, text.dropFirst(distance)).contains { $0 | 0x20 == UInt8(ascii: "e") && isDigit($1) }
    }
    return digits < 19 && !surrogates && !exponents
  }

  @Test(arguments: 0..<8)
  func `random texts, whole and broken, are judged as simdjson judges them`(_ seed: Int) throws {
    var random = Random(state: UInt64(seed) + 1)
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    var refused = 0
    for _ in 0..<400 {
      let text = Array(Self.value(&random, 5).utf8)
      #expect(Self.isRead(text), "\(String(decoding: text, as: UTF8.self))")
      let window = Int.random(in: 1..<24, using: &random)
      let whole = trace(text, tree, window: 1 << 20)
      #expect(trace(text, tree, window: window).lines == whole.lines)
      guard !text.isEmpty else { continue }
      let broken = Self.mutate(text, &random)
      guard Self.isComparable(broken) else { continue }
      let verdict = Self.oracle(broken)
      refused += verdict ? 0 : 1
      #expect(Self.isRead(broken) == verdict, "\(String(decoding: broken, as: UTF8.self)) \(broken)")
      // Only a blank text is a success as a body and none as a document.
      let body = trace(broken, tree, window: window)
      #expect((body.error == nil) == verdict || body.summary?.isEmpty == true)
    }
    #expect(refused > 50)
  }

  @Test(.enabled(if: Corpus.folder != nil, "the corpora are not there"))
  func `the corpus is judged as simdjson judges it, save for large numbers`() throws {
    for file in try Corpus.json("y_") + Corpus.json("n_") {
      let isLarge = ["y_number_double_huge", "y_number_real_capital_e", "huge", "big"].contains {
        file.name.contains($0)
      }
      if isLarge { continue }
      #expect(Self.isRead(file.bytes) == Self.oracle(file.bytes), "\(file.name)")
    }
  }
}
