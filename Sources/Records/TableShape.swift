/// A table as the mapping wants it: what a store creates, and the layout of the rows that a batch brings.
package struct TableShape: Sendable, Hashable {
  /// What makes the rows of a table.
  package enum Role: Sendable, Hashable {
    /// Rows of a record with a key of its own, or of `write: append`.
    case record
    /// One row at most for each parent; the primary key is the parent's.
    case onlyChild
    /// Numbered rows of a parent; the primary key is the parent's columns and `position`.
    case listChild
    /// Links between two tables with keys; the primary key is the two keys, and `position` is a column.
    case link
    /// No table of its own: which rows of a keyed child's table belong to a parent (`via: child`). Its columns are the
    /// parent's key, then the child's key; its lists say what each parent has now.
    case membership
  }

  /// The key that a store generates for rows without one of their own.
  package static let generatedKey = "_id"

  package var name: String
  package var role: Role
  package var columns: [ColumnShape]
  /// Indexes into `columns`. Empty for `append`: the store then generates `_id INTEGER PRIMARY KEY`.
  package var primaryKey: [Int]
  package var foreignKeys: [ForeignKey]
  package var indexes: [IndexShape]
  /// For children and links: the columns that hold the parent's key, first in `columns`; empty for records.
  package var parentKey: [Int]
  /// The column of `position`, for list children and links.
  package var position: Int?
  package var write = WriteMode.upsert
  /// The column that tells newer rows from older ones: an incoming row that is not newer is skipped.
  package var modified: Int?
  /// Links and memberships: the child's table, as an index into the batch's tables.
  package var child: Int?
  /// Memberships: the columns of the child's table that hold the parent's key.
  package var childColumns: [Int] = []
  /// Links and memberships: a child that lost its last parent is deleted.
  package var sweepsOrphans = false
  /// Rows that no complete walk sees any more are deleted.
  package var sweep: SweepRule?
  /// The columns of `track: true`, which are no part of a comparison: `_ingested_at`, `_run_id`, `_source_url`.
  package var tracking: [Int] = []
  /// The table's former name.
  package var renamedFrom: String?
  package var description: String?
  /// Foreign keys that are not enforced.
  package var references: [SoftReference] = []

  package init(
    name: String, role: Role, columns: [ColumnShape] = [], primaryKey: [Int] = [], foreignKeys: [ForeignKey] = [],
    indexes: [IndexShape] = [], parentKey: [Int] = [], position: Int? = nil
  ) {
    self.name = name
    self.role = role
    self.columns = columns
    self.primaryKey = primaryKey
    self.foreignKeys = foreignKeys
    self.indexes = indexes
    self.parentKey = parentKey
    self.position = position
  }
}

/// How the rows of a record are written.
package enum WriteMode: String, Sendable, Hashable {
  case upsert
  /// Rows that are there already stay as they are.
  case insert
  case append
  /// The rows of the walk's scope become exactly the walk's.
  case replace
  /// Each change is a row of its own, from `valid_from` to `valid_to`.
  case history
}

/// `sweep` of a record.
package struct SweepRule: Sendable, Hashable {
  package enum Bound: Sendable, Hashable {
    case rows(Int)
    /// In thousandths of the scope's rows.
    case share(Int)
  }

  /// SQL over the table's columns: only such rows are swept.
  package var condition: String?
  /// Where the mapping has it, in words.
  package var conditionPlace: String?
  /// Nil: half of the scope's rows, once it has 20.
  package var maxDelete: Bound?

  package init(condition: String? = nil, conditionPlace: String? = nil, maxDelete: Bound? = nil) {
    self.condition = condition
    self.conditionPlace = conditionPlace
    self.maxDelete = maxDelete
  }
}

package struct ColumnShape: Sendable, Hashable {
  package var name: String
  package var type: ColumnType
  /// `on_invalid: keep_text`: the column takes its type's values and any text.
  package var takesAnyText: Bool
  package var description: String?
  /// The column's former name.
  package var renamedFrom: String?
  /// The mapping lists its values, or there are two: rows can be told apart by it at a glance.
  package var hasFewValues = false

  package init(name: String, type: ColumnType, takesAnyText: Bool = false, description: String? = nil) {
    self.name = name
    self.type = type
    self.takesAnyText = takesAnyText
    self.description = description
  }
}

/// An enforced foreign key, made by a nested relationship.
package struct ForeignKey: Sendable, Hashable {
  package enum OnDelete: Sendable, Hashable {
    /// The row goes with the one that it refers to: keyless children and links.
    case cascade
    /// The columns become null.
    case setNull
  }

  /// Indexes into the table's columns, in the order of the key that they refer to.
  package var columns: [Int]
  package var table: String
  package var referenced: [String]
  package var onDelete: OnDelete
  /// Of the columns that hold a single child's key: a child that lost its last parent is deleted.
  package var sweepsOrphans: Bool

  package init(
    columns: [Int], table: String, referenced: [String], onDelete: OnDelete, sweepsOrphans: Bool = false
  ) {
    self.columns = columns
    self.table = table
    self.referenced = referenced
    self.onDelete = onDelete
    self.sweepsOrphans = sweepsOrphans
  }
}

/// `references` of a field: a foreign key that is declared, and not enforced.
package struct SoftReference: Sendable, Hashable {
  package struct Target: Sendable, Hashable {
    package var table: String
    package var column: String

    package init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// Index into the table's columns.
  package var column: Int
  /// One, save for a keyless record that fills several tables: the value is in one of them.
  package var targets: [Target]

  package init(column: Int, targets: [Target]) {
    self.column = column
    self.targets = targets
  }
}

package struct IndexShape: Sendable, Hashable {
  /// Indexes into the table's columns.
  package var columns: [Int]
  package var isUnique: Bool
  /// SQL over the table's columns: only such rows are in the index.
  package var condition: String?
  /// Where the mapping has it, in words.
  package var conditionPlace: String?

  package init(
    columns: [Int], isUnique: Bool = false, condition: String? = nil, conditionPlace: String? = nil
  ) {
    self.columns = columns
    self.isUnique = isUnique
    self.condition = condition
    self.conditionPlace = conditionPlace
  }
}
