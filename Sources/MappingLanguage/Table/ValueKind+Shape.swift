import Diagnostics
import MarkedYAML

extension ValueKind {
  /// Of several kinds, the one that what is written was meant to be; nil when none has its shape.
  ///
  /// Among maps it is the one with most of the keys, misspelt ones included.
  static func fitting(_ node: YAMLNode, among kinds: [ValueKind]) -> ValueKind? {
    let candidates = kinds.filter { $0.hasShape(of: node) }
    guard candidates.count > 1 else { return candidates.first }
    switch node.content {
    case .scalar(let scalar): return candidates.first { $0.takes(scalar) } ?? candidates.last
    case .sequence: return candidates.first
    case .mapping(let entries):
      let scores = candidates.map { $0.score(entries) }
      guard let best = scores.max(), let index = scores.firstIndex(of: best) else { return nil }
      return candidates[index]
    }
  }

  /// How a value of another shape is to be written.
  func hint(instead node: YAMLNode) -> String? {
    switch (self, node.content) {
    case (.list, .scalar(let scalar)): return scalar.isNull ? nil : "write [\(scalar.text)]"
    case (.either(let kinds), .sequence):
      let isField = kinds.contains { if case .map(.field) = $0 { true } else { false } }
      return isField ? "a list of key paths stands under 'from': {from: [a, b]}" : nil
    default: return nil
    }
  }

  private func hasShape(of node: YAMLNode) -> Bool {
    switch (self, node.content) {
    case (.anything, _), (.jsonTemplate, _), (.list, .sequence), (.map, .mapping), (.dictionary, .mapping),
      (.condition, .mapping):
      true
    case (.list, _), (.map, _), (.dictionary, _), (.condition, _): false
    case (.optional(let kind), _): node.isNull || kind.hasShape(of: node)
    case (.either(let kinds), _): kinds.contains { $0.hasShape(of: node) }
    case (_, .scalar): true
    default: false
    }
  }

  /// Among kinds of scalars: does this one suit the scalar's core type?
  private func takes(_ scalar: YAMLScalar) -> Bool {
    switch (self, scalar.core) {
    case (.boolean, .boolean), (.integer, .integer): true
    case (.boolean, _), (.integer, _): false
    default: true
    }
  }

  private func score(_ entries: [YAMLEntry]) -> Int {
    guard case .map(let kind) = self else { return 0 }
    let names = LanguageTable.keys(of: kind).map(\.name)
    return entries.reduce(0) { score, entry in
      if names.contains(where: { $0.isSame(as: entry.key.text) }) { return score + 2 }
      return NearestName.nearest(to: entry.key.text, among: names) == nil ? score : score + 1
    }
  }
}
