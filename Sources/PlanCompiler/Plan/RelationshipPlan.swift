import JSONReading

/// What a relationship of a record does with the children that it finds.
package final class RelationshipPlan: Sendable {
  package enum Storage: Sendable {
    /// The child's key goes into these columns of the parent.
    case columns([Int])
    /// One keyless child at most, in a table of its own.
    case onlyChild
    /// Keyless children, numbered.
    case listChild
    /// Keyed children, linked by rows of this table.
    case link(table: Int)
    /// Keyed children that hold the parent's key; this table of the batch, which is no table of the store, says which.
    case membership(table: Int)
  }

  /// A record that the children may be, and where such children go.
  package struct Branch: Sendable {
    /// The record's declaration, by which a choice names it.
    package var declaration: Int
    /// Index into `Plan.rows`.
    package var child: Int
    package var storage: Storage
  }

  package let name: String
  package let isList: Bool
  package let access: PathAccess
  /// The child is built from the parent's own object.
  package let isSameObject: Bool
  /// Index into `Plan.choices`, for children of several kinds.
  package let choice: Int?
  /// One, or one for each record of the choice.
  package let branches: [Branch]
  /// The list is only added to.
  package let isUnion: Bool
  /// When it does not hold, the list is only added to.
  package let complete: RecordCondition?
  /// A rejected child rejects the parent.
  package let failsParent: Bool

  init(
    name: String, isList: Bool, access: PathAccess, choice: Int?, branches: [Branch], isUnion: Bool,
    complete: RecordCondition?, failsParent: Bool
  ) {
    (self.name, self.isList, self.access) = (name, isList, access)
    isSameObject = access.path.origin == .value && access.path.steps.isEmpty
    (self.choice, self.branches, self.isUnion) = (choice, branches, isUnion)
    (self.complete, self.failsParent) = (complete, failsParent)
  }
}
