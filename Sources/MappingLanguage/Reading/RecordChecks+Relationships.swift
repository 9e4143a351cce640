import Diagnostics

/// What relationships ask of their children, and of a parent that keeps its versions.
extension RecordChecks {
  func child(of relationship: RelationshipDeclaration, in parent: RecordDeclaration) {
    let children = index.leaves(of: relationship.record.value)
    guard !children.isEmpty else { return }
    if let (child, reason) = children.lazy.compactMap(whyNoChild).first {
      context.report(
        .badRelationship, "'\(child.name.value)' cannot be a child: \(reason)", at: relationship.record.span)
    }
    if parent.write?.value == .history { childOfHistory(relationship, children, in: parent) }
    let keyless = children.first { $0.keySpan == nil }
    for said in [relationship.via, relationship.policy].compactMap(\.self) { listOnly(said, relationship, keyless) }
    if let sweep = relationship.sweepSpan, relationship.sweepsOrphans, children.allSatisfy({ $0.keySpan == nil }) {
      context.report(
        .badRelationship, "'sweep' needs a child with a key, and '\(children[0].name.value)' has none", at: sweep,
        hint: "without a key it goes with its parent")
    }
  }

  private func whyNoChild(_ child: RecordDeclaration) -> (child: RecordDeclaration, reason: String)? {
    switch child.write?.value {
    case .append: (child, "with 'write: append' nothing can refer to its rows")
    case .replace where child.keySpan == nil: (child, "with 'write: replace' it needs a key")
    case .history: (child, "with 'write: history' it keeps every version of its rows")
    default: nil
    }
  }

  /// Versions of a row have no rows of their own below them, and no links.
  private func childOfHistory(
    _ relationship: RelationshipDeclaration, _ children: [RecordDeclaration], in parent: RecordDeclaration
  ) {
    if relationship.shape == .one, children.allSatisfy({ $0.keySpan != nil }) { return }
    context.report(
      .badRelationship,
      "with 'write: history' '\(parent.name.value)' keeps every version of its rows, so "
        + "'\(relationship.name.value)' can only be one record with a key",
      at: relationship.record.span)
  }

  /// `via` and `policy: union` are for lists of children with keys.
  private func listOnly(_ said: Located<String>, _ relationship: RelationshipDeclaration, _ keyless: RecordDeclaration?)
  {
    guard ["link", "child", "union"].contains(where: { $0.isSame(as: said.value) }) else { return }
    if relationship.shape == .one {
      context.report(
        .badRelationship, "'\(said.value)' is for a list of records, and '\(relationship.name.value)' is one",
        at: said.span)
    } else if let keyless {
      context.report(
        .badRelationship, "'\(said.value)' needs a child with a key, and '\(keyless.name.value)' has none",
        at: said.span
      )
    }
  }
}
