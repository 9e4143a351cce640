package import MarkedYAML
import Values

extension YAMLNode {
  /// The value as JSON text without white space: what a body that is written into a mapping means.
  ///
  /// Depth is bounded by the YAML reader. A number keeps its digits; only what JSON forbids (`+1`, `.5`, `5.`) is mended.
  package var jsonText: String {
    switch content {
    case .scalar(let scalar): scalar.jsonText
    case .sequence(let items): "[" + items.map(\.jsonText).joined(separator: ",") + "]"
    case .mapping(let entries):
      "{" + entries.map { JSONWriting.quoted($0.key.text) + ":" + $0.value.jsonText }.joined(separator: ",") + "}"
    }
  }
}

extension YAMLScalar {
  var jsonText: String { literal.jsonText }

  /// The scalar as a constant.
  var literal: Literal {
    switch core {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .integer, .real: .number(text)
    case .text: .text(text)
    }
  }

  var isNull: Bool { core == .null }
}
