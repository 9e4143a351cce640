package import JSONReading
package import Values

/// How a record's value becomes one row of one table.
///
/// A record with a key has one; a keyless child has one for each relationship that uses it.
package struct RowPlan: Sendable {
  /// Index into `Plan.tables`.
  package var table: Int
  /// Index into `Plan.recordNames`.
  package var record: Int
  /// Cells of a row, those of relationships and of the parent's key included.
  package var columnCount: Int
  package var fields: [FieldPlan]
  package var relationships: [RelationshipPlan]
  /// Members that fields and relationships read.
  package var members: MemberTree
  /// The columns of the record's own key; empty for keyless records.
  package var key: [Int]
  /// The columns by which children refer to a row of this table.
  package var identity: [Int]
  /// How many columns, from the first on, hold the parent's key.
  package var parentKeyCount: Int
  /// The column of `position`, in a list child.
  package var position: Int?
  /// A child of a list is written whole: what is missing becomes null, and relationships that are missing are emptied.
  package var isWrittenWhole: Bool
  /// The `$…` values that fields and conditions read.
  package var contexts: [KeyPath]
  /// What is kept with a rejection: these, and, of a record that stands at a place, what records nested in it read from
  /// around the body.
  package var keptContexts: [KeyPath]
  /// `where`: what does not meet it is filtered.
  package var filter: RecordCondition?
  /// `delete_when`: what meets it is a tombstone.
  package var tombstone: RecordCondition?
  package var unmapped = UnmappedPlan.ignore
  /// Names of the record's members that fields and relationships read.
  package var mappedMembers: [JSONName] = []
  /// The columns of `track: true`: time, run, source.
  package var tracking: [Int] = []
  /// A rejected row is told to the store: it counts as seen, or breaks no list.
  package var notesRejected = false
  /// Its table has a unique index: rows carry what they would be rejected as.
  package var hasUniqueIndex = false
}

/// A condition on a record's own value.
package struct RecordCondition: Sendable {
  package var condition: CompiledCondition
  /// How each of the condition's key paths is read, in their order.
  package var accesses: [PathAccess]
}

/// What becomes of members that nothing maps.
package enum UnmappedPlan: Sendable, Hashable {
  case ignore, warn, fail
  /// They are kept as JSON in this column.
  case capture(column: Int)
}
