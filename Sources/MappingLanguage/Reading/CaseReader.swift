import MarkedYAML

/// Reads the cases of a choice.
enum CaseReader {
  /// Without those that cannot be read, which was reported.
  static func cases(_ node: YAMLNode?) -> [CaseDeclaration] {
    guard case .sequence(let items) = node?.content else { return [] }
    return items.compactMap(read)
  }

  private static func read(_ item: YAMLNode) -> CaseDeclaration? {
    guard let view = MapView(item, as: .switchCase) else { return nil }
    if let word = view.text("else") { return CaseDeclaration(outcome: outcome(word), span: item.span) }
    guard let node = view.node("when"), let when = ConditionReader.condition(node), let record = view.text("record")
    else { return nil }
    return CaseDeclaration(when: when, whenSpan: node.span, outcome: .record(record), span: item.span)
  }

  private static func outcome(_ word: Located<String>) -> CaseDeclaration.Outcome {
    if word.value.isSame(as: "skip") { return .skip }
    return word.value.isSame(as: "reject") ? .reject : .record(word)
  }
}
