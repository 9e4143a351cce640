import Diagnostics
import Foundation
import MarkedYAML
import Testing

/// The cases of yaml-test-suite, and what is made of each: pinned, with a reason wherever it is not what the suite says.
@Suite(.enabled(if: SuiteCase.folder != nil, "the corpora are not beside the repository"), .timeLimit(.minutes(1)))
struct SuiteVerdictTests {
  @Test func `every case of the suite has the verdict that is pinned for it`() throws {
    let pinned = try PinnedVerdict.all()
    let cases = try SuiteCase.all()
    #expect(pinned.map(\.id) == cases.map(\.id), "a line for each case, in order")
    for (example, pin) in zip(cases, pinned) {
      let start = ContinuousClock.now
      let outcome = example.read()
      #expect(ContinuousClock.now - start < .seconds(30), "\(example.id)")
      #expect(outcome.verdict == pin.verdict, "\(example.id): \(outcome.detail)")
      #expect(outcome.agreesWithSuite == (pin.reason == "-"), "\(example.id): \(outcome.detail)")
    }
  }
}

/// A line of the pinned verdicts: the case, the verdict, and `-` or why it is not the suite's.
private struct PinnedVerdict {
  let id: String
  let verdict: String
  let reason: String

  static func all() throws -> [PinnedVerdict] {
    let url = try #require(
      Bundle.module.url(forResource: "suite-verdicts", withExtension: "txt", subdirectory: "Fixtures"))
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return try lines.map { line in
      let words = line.split(separator: " ").map(String.init)
      try #require(words.count == 3, "\(line)")
      return PinnedVerdict(id: words[0], verdict: words[1], reason: words[2])
    }
  }
}

/// One case: a text, and what the suite says of it.
private struct SuiteCase {
  let id: String
  let yaml: [UInt8]
  /// The value as JSON, where the suite has one.
  let json: Data?
  let mustBeRefused: Bool

  struct Outcome {
    let verdict: String
    let agreesWithSuite: Bool
    let detail: String
  }

  static var folder: URL? { Corpora.place("yaml") }

  static func all() throws -> [SuiteCase] {
    let folder = try #require(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let ids = names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    return try ids.map { id in
      SuiteCase(
        id: id, yaml: Array(try Data(contentsOf: folder.appending(path: "\(id).yaml"))),
        json: names.contains("\(id).json") ? try Data(contentsOf: folder.appending(path: "\(id).json")) : nil,
        mustBeRefused: names.contains("\(id).error"))
    }
  }

  func read() -> Outcome {
    let (root, diagnostics) = YAMLReader.read(SourceFile(name: "\(id).yaml", bytes: yaml))
    if let first = diagnostics.first {
      let detail = "\(first.span.start.line):\(first.span.start.column) \(first.code.rawValue): \(first.message)"
      return Outcome(verdict: "refused", agreesWithSuite: mustBeRefused, detail: detail)
    }
    if mustBeRefused { return Outcome(verdict: "accepted", agreesWithSuite: false, detail: "libyaml-accepts") }
    guard let json else { return Outcome(verdict: "accepted", agreesWithSuite: true, detail: "") }
    let found = root.map(PlainValue.init)
    let wanted = try? JSONDecoder().decode(PlainValue.self, from: json)
    let isSame = found == wanted && (wanted != nil || json.allSatisfy { $0 == UInt8(ascii: "\n") })
    return Outcome(
      verdict: "accepted", agreesWithSuite: isSame, detail: found.map { "other-value: \($0)" } ?? "no-value")
  }
}

/// A value without places, to compare with what the suite says in JSON.
private indirect enum PlainValue: Equatable, Decodable {
  case null
  case boolean(Bool)
  case number(Double)
  case text([UInt8])
  case list([PlainValue])
  case map([String: PlainValue])

  init(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar):
      switch scalar.core {
      case .null: self = .null
      case .boolean(let value): self = .boolean(value)
      case .integer, .real: self = .number(Double(scalar.text) ?? .nan)
      case .text: self = .text(Array(scalar.text.utf8))
      }
    case .sequence(let items): self = .list(items.map(PlainValue.init))
    case .mapping(let entries):
      let pairs = entries.map { ($0.key.text, PlainValue($0.value)) }
      self = .map(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(Array(text.utf8))
    } else if let list = try? value.decode([PlainValue].self) {
      self = .list(list)
    } else {
      self = .map(try value.decode([String: PlainValue].self))
    }
  }
}
