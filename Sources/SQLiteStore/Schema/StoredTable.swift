import Store

/// A table as the database has it.
struct StoredTable {
  struct Column {
    /// As the mapping calls it: a rename that is planned counts as done.
    var name: FoldedName
    /// As the database spells it now.
    var spelling: String
    var type: String
    /// Computed from other columns: nothing can be written there.
    var isGenerated: Bool
  }

  struct Reference: Hashable {
    var columns: [FoldedName]
    var table: FoldedName
    /// Empty when it refers to the primary key without naming it.
    var referenced: [FoldedName]
    var onDelete: String
  }

  struct Index {
    var columns: [FoldedName]
    var isUnique: Bool
    /// The words of what follows WHERE; empty for a whole one.
    var condition: [String]
  }

  /// As the database spells it now.
  var spelling: String
  /// The statement that made it.
  var sql: String
  /// `table`, `view`, `virtual` or `shadow`.
  var kind: String
  var hasRowNumbers: Bool
  var isStrict: Bool
  var columns: [Column] = []
  var primaryKey: [FoldedName] = []
  var references: Set<Reference> = []
  /// Those over plain columns; the primary key's is not among them.
  var indexes: [Index] = []

  func column(_ name: FoldedName) -> Column? { columns.first { $0.name == name } }

  mutating func rename(_ former: FoldedName, to name: FoldedName) {
    for index in columns.indices where columns[index].name == former { columns[index].name = name }
    primaryKey = primaryKey.map { $0 == former ? name : $0 }
    for index in indexes.indices { indexes[index].columns = indexes[index].columns.map { $0 == former ? name : $0 } }
    references = Set(
      references.map { reference in
        var reference = reference
        reference.columns = reference.columns.map { $0 == former ? name : $0 }
        return reference
      })
  }
}
