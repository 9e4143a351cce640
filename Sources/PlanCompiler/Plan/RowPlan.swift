package import JSONReading
package import Records
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

/// Where a column's value comes from, and what becomes of it.
package struct FieldPlan: Sendable {
  package enum Source: Sendable {
    /// The first that is present and not null counts.
    case paths([PathAccess])
    /// A program that is run on the whole record.
    case program(JQProgram)
    case constant(ConstantCell)
  }

  package enum Presence: Sendable {
    case keep, null, `default`, error
  }

  package enum Invalid: Sendable {
    case reject, null, fail, keepText
  }

  package var column: Int
  /// The column's name, for rejections.
  package var name: String
  package var source: Source
  package var conversion: Conversion
  package var defaultValue: ConstantCell?
  package var isRequired: Bool
  package var onMissing: Presence
  package var onNull: Presence
  package var onInvalid: Invalid
  package var isKey: Bool
  /// A key column of type `any`: one run must not see both numbers and texts in it.
  package var isUntypedKey: Bool
}

/// A key path, resolved against the record's members as far as it goes.
package struct PathAccess: Sendable {
  package enum Origin: Sendable {
    /// A node of the record's `MemberTree`; `rest` is what the key path says beyond it.
    case member(node: Int)
    /// A `$…` value: the key path's origin, evaluated in the record's context.
    case context
  }

  package var origin: Origin
  /// The whole key path.
  package var path: KeyPath
  /// The steps behind the node, or behind the context's value.
  package var rest: KeyPath?

  package init(origin: Origin, path: KeyPath, rest: KeyPath?) {
    self.origin = origin
    self.path = path
    self.rest = rest
  }
}

/// A constant, ready to be stored: the cell's bytes live as long as the plan.
package final class ConstantCell: Sendable {
  // The arena is written in the initializer only, and the cell points into it.
  private nonisolated(unsafe) let arena: ByteArena
  package let cell: Cell

  package init(_ make: (ByteArena) -> Cell) {
    let arena = ByteArena()
    self.arena = arena
    cell = make(arena)
  }
}

/// What a relationship of a record does with the children that it finds.
package struct RelationshipPlan: Sendable {
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

  package var name: String
  package var isList: Bool
  package var access: PathAccess
  /// The child is built from the parent's own object.
  package var isSameObject: Bool
  /// Index into `Plan.choices`, for children of several kinds.
  package var choice: Int?
  /// One, or one for each record of the choice.
  package var branches: [Branch]
  /// The list is only added to.
  package var isUnion = false
  /// When it does not hold, the list is only added to.
  package var complete: RecordCondition?
  /// A rejected child rejects the parent.
  package var failsParent = false
}
