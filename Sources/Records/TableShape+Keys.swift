/// Keys and indexes by the names of their columns.
extension TableShape {
  package func names(_ indexes: [Int]) -> [String] { indexes.map { columns[$0].name } }

  /// The primary key's columns, the generated one included.
  package var keyNames: [String] { primaryKey.isEmpty ? [Self.generatedKey] : names(primaryKey) }

  /// Foreign keys that begin neither the primary key nor an index of the mapping: each needs an index of its own, or
  /// each delete of a referenced row would read the whole table.
  package var foreignKeyIndexes: [IndexShape] {
    var needed: [IndexShape] = []
    for key in foreignKeys where !primaryKey.starts(with: key.columns) {
      if (indexes + needed).contains(where: { $0.condition == nil && $0.columns.starts(with: key.columns) }) {
        continue
      }
      needed.append(IndexShape(columns: key.columns))
    }
    return needed
  }
}
