import Diagnostics
import Foundation
import MarkedYAML
import TestSupport
import Testing

/// Texts that nobody wrote: they end in a value or a finding, never in a crash, and every place lies within the text.
struct BrokenTextTests {
  private static let seed =
    ProcessInfo.processInfo.environment["INGEST_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...(.max))

  private static let sample = """
    # comment é
    ingest: 1
    source: {name: &n "shop\\n", base_url: 'https://a.test', list: [a, b: c, ? d : e]}
    records: &r
      Ü: !!str |+
        text é
         more

      ? key
      : - 1.5
        - *n
        - ~
    merged: {<<: *r, other: >-
     folded}
    """

  private static let pieces: [String] = [
    ": ", "- ", "? ", "[", "]", "{", "}", ",", "&a ", "*a ", "!t ", "!!str ", "\"", "'", "|\n", ">\n", "#", "\n", "  ",
    "\t", "<<: ", "---\n", "...\n", "%YAML 1.2\n", "é", "\u{2028}", "\u{FEFF}", "\0", "\\", "\r", "a", "1",
  ]

  @Test func `mutated texts and random bytes never crash, and findings lie within the text`() {
    var random = TestRandom(seed: Self.seed)
    for round in 0..<1_500 {
      let bytes = round % 3 == 0 ? Self.randomText(&random) : Self.mutated(Array(Self.sample.utf8), &random)
      let (root, diagnostics) = YAMLReader.read(SourceFile(name: "m.yaml", bytes: bytes))
      let spans = diagnostics.map(\.span) + (root.map(Self.spans) ?? [])
      let fits = spans.allSatisfy { $0.start <= $0.end && $0.end.offset <= bytes.count && $0.start.column >= 1 }
      guard fits else {
        Issue.record("seed \(Self.seed), round \(round): a place lies outside: \(bytes)")
        return
      }
      if root == nil, diagnostics.isEmpty, !Self.isEmptyDocument(bytes) {
        Issue.record("seed \(Self.seed), round \(round): neither a value nor a finding: \(bytes)")
        return
      }
      _ = DiagnosticPrinter.text(diagnostics, colour: false)
    }
  }

  private static func mutated(_ text: [UInt8], _ random: inout TestRandom) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let until = min(bytes.count, at + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(at..<until)
      case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.insert(contentsOf: bytes[at..<until], at: Int.random(in: 0...bytes.count, using: &random))
      case 3: bytes.removeSubrange(at...)
      default: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: at)
      }
    }
    return bytes
  }

  private static func randomText(_ random: inout TestRandom) -> [UInt8] {
    let count = Int.random(in: 0..<40, using: &random)
    if Bool.random(using: &random) { return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
    return (0..<count).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
  }

  /// Nothing but blanks, byte order marks and comments.
  private static func isEmptyDocument(_ bytes: [UInt8]) -> Bool {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.allSatisfy { line in
      let text = line.drop { [0x20, 0x09, 0xEF, 0xBB, 0xBF].contains($0) }
      return text.isEmpty || text.first == UInt8(ascii: "#")
    }
  }

  private static func spans(_ node: YAMLNode) -> [SourceSpan] {
    switch node.content {
    case .scalar: [node.span]
    case .sequence(let items): [node.span] + items.flatMap(spans)
    case .mapping(let entries): [node.span] + entries.flatMap { [$0.keySpan] + spans($0.value) }
    }
  }
}
