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
  }

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

package struct ColumnShape: Sendable, Hashable {
  package var name: String
  package var type: ColumnType
  /// `on_invalid: keep_text`: the column takes its type's values and any text.
  package var takesAnyText: Bool
  package var description: String?

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

  package init(columns: [Int], table: String, referenced: [String], onDelete: OnDelete) {
    self.columns = columns
    self.table = table
    self.referenced = referenced
    self.onDelete = onDelete
  }
}

package struct IndexShape: Sendable, Hashable {
  /// Indexes into the table's columns.
  package var columns: [Int]
  package var isUnique: Bool

  package init(columns: [Int], isUnique: Bool = false) {
    self.columns = columns
    self.isUnique = isUnique
  }
}
