import Diagnostics
import JSONReading
import MarkedYAML

/// Reads `relationships` of one record.
struct RelationshipReader {
  let context: ReadingContext
  let parent: String

  func relationship(_ entry: YAMLEntry) -> RelationshipDeclaration? {
    let name = Located(entry.key.text, at: entry.keySpan)
    let kind = ValueKind.fitting(
      entry.value, among: [.record, .list(of: .anything), .map(.relationship), .map(.inlineRecord)])
    guard case .map(.relationship) = kind, let view = MapView(entry.value, as: .relationship) else {
      return child(entry.value, of: name).map { shape, record in
        declaration(name, shape, record, from: nil)
      }
    }
    guard let node = view.node("record"), let (shape, record) = child(node, of: name) else { return nil }
    var relationship = declaration(name, shape, record, from: view.keyPath("from"))
    relationship.via = view.text("via")
    relationship.policy = view.text("policy")
    relationship.isViaChild = relationship.via?.value.isSame(as: "child") ?? false
    relationship.isUnion = relationship.policy?.value.isSame(as: "union") ?? false
    relationship.failsParent = view.text("on_item_error")?.value.isSame(as: "fail") ?? false
    relationship.sweepsOrphans = view.boolean("sweep") ?? false
    relationship.sweepSpan = view.entry("sweep")?.keySpan
    relationship.complete = view.condition("complete")
    relationship.completePaths = ConditionReader.paths(view.node("complete"))
    if shape == .one, let entry = view.entry("complete") {
      relationship.complete = nil
      context.report(
        .badRelationship, "'complete' is for a list of records, and '\(name.value)' is one", at: entry.keySpan)
    }
    return relationship
  }

  private func declaration(
    _ name: Located<String>, _ shape: RelationshipDeclaration.Shape, _ record: Located<String>,
    from path: Located<KeyPath>?
  ) -> RelationshipDeclaration {
    RelationshipDeclaration(
      name: name, shape: shape, record: record, from: path ?? Located(.member(named: name.value), at: name.span),
      span: name.span)
  }

  /// The child: a name, an inline record, or a list of one of these.
  private func child(_ node: YAMLNode, of name: Located<String>) -> (RelationshipDeclaration.Shape, Located<String>)? {
    switch node.content {
    case .scalar: return node.plainText.map { (.one, $0) }
    case .mapping: return (.one, inline(node, of: name))
    case .sequence(let items):
      guard let item = items.first, items.count == 1 else {
        context.report(
          .wrongKind, "the relationship '\(name.value)' names one record, not \(items.count)", at: node.span,
          hint: "a list of one record, [Record], is a relationship to many")
        return nil
      }
      if case .mapping = item.content { return (.many, inline(item, of: name)) }
      return item.plainText.map { (.many, $0) }
    }
  }

  private func inline(_ node: YAMLNode, of name: Located<String>) -> Located<String> {
    let record = Located("\(parent).\(name.value)", at: name.span)
    RecordReader(context).inline(node, named: record)
    return record
  }
}
