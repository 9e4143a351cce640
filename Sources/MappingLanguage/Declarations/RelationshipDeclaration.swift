package import Diagnostics
package import JSONReading
package import Values

/// A relationship: where a record's children are, and how the two stay connected.
package struct RelationshipDeclaration: Sendable {
  package enum Shape: Sendable, Hashable {
    case one, many
  }

  package var name: Located<String>
  package var shape: Shape
  /// The child's record name, which may be a choice's; of an inline child, the name that it got.
  package var record: Located<String>
  package var from: Located<KeyPath>
  /// `link` or `child`, where it is said.
  package var via: Located<String>?
  /// `replace` or `union`, where it is said.
  package var policy: Located<String>?
  /// `via: child`: the child has the parent's key; there is no link table.
  package var isViaChild = false
  /// `policy: union`: nothing that left the list loses its parent.
  package var isUnion = false
  /// A condition on the parent's value: where it does not hold, the list is not whole. Of lists only.
  package var complete: Located<Condition>?
  /// What `complete` looks at.
  package var completePaths: [Located<KeyPath>] = []
  /// `on_item_error: fail`: a rejected child rejects its parent too.
  package var failsParent = false
  /// `sweep: true`: a child with a key that has lost its last parent is deleted.
  package var sweepsOrphans = false
  /// Where the key `sweep` itself stands.
  package var sweepSpan: SourceSpan?
  package var span: SourceSpan

  package init(
    name: Located<String>, shape: Shape, record: Located<String>, from: Located<KeyPath>, span: SourceSpan
  ) {
    self.name = name
    self.shape = shape
    self.record = record
    self.from = from
    self.span = span
  }
}
