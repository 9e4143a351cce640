import Records

/// A line of a diagram: columns of one table that refer to another.
struct SchemaRelation {
  /// Indexes into the tables of the diagram.
  var from: Int
  var to: Int
  var columns: [Int]
  var referenced: [String]
  /// The columns may be null.
  var isOptional: Bool
  /// There is one row at most for each row that is referred to.
  var isOne: Bool
  var isEnforced: Bool

  /// All of the tables, those of references included. What refers to no table of the diagram has none.
  static func all(of tables: [TableShape]) -> [SchemaRelation] {
    var relations: [SchemaRelation] = []
    func place(_ name: String) -> Int? { tables.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
    for (index, table) in tables.enumerated() {
      func add(_ columns: [Int], _ target: String, _ referenced: [String], isEnforced: Bool) {
        guard let to = place(target) else { return }
        relations.append(
          SchemaRelation(
            from: index, to: to, columns: columns, referenced: referenced,
            isOptional: !columns.allSatisfy(table.primaryKey.contains),
            isOne: Set(columns) == Set(table.primaryKey), isEnforced: isEnforced))
      }
      for key in table.foreignKeys { add(key.columns, key.table, key.referenced, isEnforced: true) }
      for reference in table.references {
        for target in reference.targets { add([reference.column], target.table, [target.column], isEnforced: false) }
      }
    }
    return relations
  }
}

extension TableShape {
  /// The columns as they stand in the database, the generated key included.
  var shownColumns: [(index: Int?, name: String, type: String, description: String?)] {
    let generated: [(index: Int?, name: String, type: String, description: String?)] =
      primaryKey.isEmpty ? [(nil, Self.generatedKey, ColumnType.integer.rawValue, nil)] : []
    return generated + columns.enumerated().map { ($0, $1.name, $1.type.rawValue, $1.description) }
  }

  func isKey(_ column: Int?) -> Bool { column.map(primaryKey.contains) ?? true }
}
