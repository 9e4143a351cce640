import Fetch
import JSONReading

/// Brings the members of a body's objects into another order: the same value, as JSON has it.
struct BodyShuffler {
  private var random: SeededRandom
  private let limits: JSONLimits

  /// Larger bodies stay as they are.
  private static let bound = 64 << 20

  init(seed: UInt64, limits: JSONLimits) {
    random = SeededRandom(seed: seed)
    var limits = limits
    limits.record = Self.bound
    self.limits = limits
  }

  mutating func shufflePages(_ bodies: [Loader.Body]) -> [Loader.Body] { bodies.shuffled(using: &random) }

  mutating func shuffleMembers(of bodies: [Loader.Body], format: (String) -> BodyFormat) -> [Loader.Body] {
    bodies.map { body in
      let text = shuffled(body.source, format: format(body.name))
      return Loader.Body(name: body.name, source: text.map(BodySource.memory) ?? body.source)
    }
  }

  /// Nil for what cannot be read as JSON: it stays as it is, and so does what becomes of it.
  private mutating func shuffled(_ source: BodySource, format: BodyFormat) -> [UInt8]? {
    guard format.isNDJSON else {
      guard let document = try? JSONDocument(source, format: format, bound: Self.bound, limits: limits) else {
        return nil
      }
      return withExtendedLifetime(document) { text(of: document.root) }
    }
    var lines = Lines()
    let root = PlaceTree(places: [PlaceTree.Place(path: KeyPath(origin: .value, steps: [], text: "."))])
    let isWhole =
      (try? NDJSONReader(tree: root, limits: limits, format: format).readLines(
        source, into: &lines, begin: { _, _ in }, end: { _, failure, _, _ in failure == nil })) != nil
    guard isWhole else { return nil }
    var result: [UInt8] = []
    for line in lines.texts {
      guard let document = try? JSONDocument(line, limits: limits) else { return nil }
      result += withExtendedLifetime(document) { text(of: document.root) } + [UInt8(ascii: "\n")]
    }
    return result
  }

  /// Depth is bounded by the reader's limits.
  private mutating func text(of value: JSONValue) -> [UInt8] {
    switch value.kind {
    case .array:
      var items: [[UInt8]] = []
      value.forEachElement { items.append(text(of: $0)) }
      return Self.joined(items, in: "[]")
    case .object:
      var members: [(name: [UInt8], text: [UInt8])] = []
      value.forEachMember { name, value in
        members.append((Array(name.stringValue.utf8), Array(name.rawText) + [UInt8(ascii: ":")] + text(of: value)))
      }
      // Of members with one name the last counts: their order means something.
      if Set(members.map(\.name)).count == members.count { members.shuffle(using: &random) }
      return Self.joined(members.map(\.text), in: "{}")
    default: return Array(value.rawText)
    }
  }

  private static func joined(_ pieces: [[UInt8]], in brackets: String) -> [UInt8] {
    let ends = Array(brackets.utf8)
    return [ends[0]] + Array(pieces.joined(separator: [UInt8(ascii: ",")])) + [ends[1]]
  }
}

private struct Lines: RecordReceiver {
  var texts: [[UInt8]] = []

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
    texts.append(Array(record.rawText))
  }
}
