import Diagnostics
import Foundation
import MappingLanguage
import Pipeline
import TestSupport
import Testing
import Values

/// Whatever is expected, and however it is written: what `--update` makes of it holds, and the rest of the file is, byte for
/// byte, as it was.
struct RandomUpdateTests {
  private static let texts = [
    "Ada", "", "yes", "null", "~", "12", "1.50", "it's", "a: b", "# no", " lead", "[x", "{y}", "- z", "&a", "*b", "%",
    "@c",
    "é日", "a\nb", "tab\t", "quote\"", "back\\slash", "\u{85}", "\u{2028}", "2015-07-04 00:00:00", "true", "!t", "a, b",
    "?",
  ]

  /// A mapping with tests in all styles, whose expectations may hold or not.
  private struct Author {
    var random: TestRandom

    mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }
    mutating func pick<Element>(_ items: [Element]) -> Element {
      items[Int.random(in: 0..<items.count, using: &random)]
    }

    mutating func text() -> String { pick(RandomUpdateTests.texts) }

    mutating func written(_ text: String) -> String {
      if case .text(let read)? = YAMLText.value(text), read == text, !text.hasPrefix("["), !text.hasPrefix("{"),
        chance(2)
      {
        return text
      }
      let single = YAMLText.singleQuoted(text)
      if case .text(let read)? = YAMLText.value(single), read.utf8.elementsEqual(text.utf8), chance(2) { return single }
      return YAMLText.doubleQuoted(text)
    }

    mutating func comment() -> String { chance(3) ? " # \(pick(["note", "ä: [", "'"]))" : "" }

    mutating func row(_ id: Int) -> [String] {
      var entries = ["id: \(id)"]
      if !chance(3) { entries.append("text: \(chance(5) ? "null" : written(text()))") }
      if chance(2) { entries.append("sum: \(pick(["1", "1.50", "null", "'2'"]))") }
      return entries
    }

    mutating func rows() -> [[String]] {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in row(Int.random(in: 1...5, using: &random)) }
    }

    mutating func list(_ rows: [[String]], indent: String) -> String {
      if rows.isEmpty || chance(2) {
        let separator = chance(3) ? ",\n\(indent)  " : ", "
        return " [" + rows.map { "{" + $0.joined(separator: ", ") + "}" }.joined(separator: separator) + "]" + comment()
      }
      return comment()
        + rows.map { entries in
          let isFlow = chance(2)
          let item = isFlow ? "{" + entries.joined(separator: ", ") + "}" : entries.joined(separator: "\n\(indent)  ")
          return (chance(4) ? "\n\(indent)# above" : "") + "\n\(indent)- " + item + comment()
        }.joined()
    }

    mutating func expectation() -> String {
      var parts: [String] = []
      switch Int.random(in: 0..<3, using: &random) {
      case 0: parts.append("\n      items:" + list(rows(), indent: "        "))
      case 1:
        parts.append("\n      items:\n        count: \(Int.random(in: 0...4, using: &random))\(comment())")
        parts[0] += "\n        rows:" + list(rows(), indent: "          ")
        if chance(3) { parts[0] += "\n        ordered: true" }
      default: parts.append("\n      items: {count: \(Int.random(in: 0...4, using: &random)), rows: []}" + comment())
      }
      if chance(2) { parts.append("\n      rejects: \(Int.random(in: 0...2, using: &random))" + comment()) }
      if chance(3) { parts.append("\n      requests: [GET /items?p=1\(chance(2) ? ", 'GET /x'" : "")]" + comment()) }
      return parts.shuffled(using: &random).joined()
    }

    mutating func mapping() -> String {
      var yaml = """
        ingest: 1
        source: {name: demo, base_url: "https://api.example.test"}
        records:
          Item: {table: items, key: id, fields: {id: {type: integer}, text: {type: text}, sum: {type: decimal}}}
        endpoints: {items: {path: /items, records: {items: Item}, paginate: {by: page, param: p, start: 1}}}
        tests:
        """
      for number in 0..<Int.random(in: 1...4, using: &random) {
        let items = (0..<Int.random(in: 0...4, using: &random)).map { _ -> String in
          let id = chance(6) ? "x" : "\(Int.random(in: 1...5, using: &random))"
          return "{id: \(id), text: \(YAMLText.doubleQuoted(text())), sum: \(pick(["1", "1.50", "2"]))}"
        }
        yaml +=
          "\n  - name: test \(number)\(comment())\n    endpoint: items\n    body: {items: [\(items.joined(separator: ", "))]}"
        yaml += "\n    expect:" + comment() + expectation()
      }
      return yaml + (chance(2) ? "\n" : "") + (chance(3) ? "\n# the end" : "")
    }
  }

  /// Before and behind each `expect`, and the comments in it that stand on lines of their own.
  private static func rest(of tested: TestedYAML) throws -> [String] {
    let bytes = tested.mapping.files[0].bytes
    var pieces: [String] = []
    var at = 0
    for test in tested.mapping.tests {
      let span = try #require(test.expectSpan)
      pieces.append(String(decoding: bytes[at..<span.start.offset], as: UTF8.self))
      let behind = String(decoding: bytes[span.start.offset...], as: UTF8.self)
      let ends = ["\n  - name:", "\n# the end"].compactMap { behind.range(of: $0)?.lowerBound }
      let own = behind[..<(ends.min() ?? behind.endIndex)]
      pieces.append("\(own.components(separatedBy: "\n").count { $0.hasSuffix("  # above") })")
      at = span.start.offset + own.utf8.count
    }
    return pieces + [String(decoding: bytes[at...], as: UTF8.self)]
  }

  @Test(arguments: 0..<40) func `what is written holds, and nothing else changes`(_ round: Int) throws {
    var updates = 0
    for seed in round * 8..<round * 8 + 8 {
      var author = Author(random: TestRandom(seed: UInt64(seed)))
      let yaml = author.mapping()
      let before = try TestedYAML(yaml)
      let updated: String
      do {
        updated = try before.updated()
      } catch let refusal as UpdateRefusal {
        #expect(refusal.reason.contains("a comment stands"), "seed \(seed): \(refusal.reason)\n\(yaml)")
        continue
      }
      if updated != yaml { updates += 1 }
      let after = try TestedYAML(updated)
      #expect(after.outcomes.flatMap(\.failures).map(\.text) == [], "seed \(seed)\n\(yaml)\n\(updated)")
      #expect(try Self.rest(of: after) == Self.rest(of: before), "seed \(seed)\n\(yaml)\n\(updated)")
      #expect(try after.updated() == updated)
    }
    #expect(updates > 0)
  }
}
