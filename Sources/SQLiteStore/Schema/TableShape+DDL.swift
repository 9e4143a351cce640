import Records
import Store

/// The SQL that makes a table.
extension TableShape {
  var createTable: String {
    var lines: [String] = []
    if primaryKey.isEmpty { lines.append("\(Identifier.quoted(Self.generatedKey)) INTEGER PRIMARY KEY") }
    for index in columns.indices {
      lines.append(definition(of: index) + (primaryKey.contains(index) ? " NOT NULL" : ""))
    }
    if !primaryKey.isEmpty { lines.append("PRIMARY KEY (\(Identifier.quoted(names(primaryKey))))") }
    lines += foreignKeys.map(constraint)
    return "CREATE TABLE \(Identifier.quoted(name)) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT"
  }

  func definition(of column: Int) -> String {
    "\(Identifier.quoted(columns[column].name)) \(columns[column].declaredType)"
  }

  func constraint(_ key: ForeignKey) -> String {
    "FOREIGN KEY (\(Identifier.quoted(names(key.columns)))) \(key.references)"
  }

  /// A column with the foreign key that is its alone.
  func addedDefinition(of column: Int) -> String {
    definition(of: column) + (foreignKeys.first { $0.columns == [column] }.map { " \($0.references)" } ?? "")
  }

  func addColumn(_ index: Int) -> String {
    "ALTER TABLE \(Identifier.quoted(name)) ADD COLUMN \(addedDefinition(of: index))"
  }

  func createIndex(_ index: IndexShape, named indexName: String) -> String {
    "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(Identifier.quoted(indexName)) "
      + "ON \(Identifier.quoted(name)) (\(Identifier.quoted(names(index.columns))))"
      // A comment to the end of the line would take what follows with it.
      + (index.condition.map { " WHERE \($0)" + ($0.contains("--") ? "\n" : "") } ?? "")
  }
}

extension TableShape {
  /// Where the mapping has the conditions of indexes, which SQLite looks at with each row that is written; nil without
  /// any.
  private var conditionPlaces: String? {
    let places = indexes.compactMap(\.conditionPlace)
    return places.isEmpty ? nil : places.joined(separator: ", or ")
  }

  /// What failed while rows were written or an index was made, with the condition that it failed in, as far as it can
  /// have been one: no other SQL of a mapping is run then.
  func placing(_ error: StoreError) -> StoreError {
    guard error.code == .failed, let conditionPlaces else { return error }
    return StoreError(.failed, "\(conditionPlaces) fails on a row: \(error.message)")
  }
}

extension ForeignKey {
  /// The action as SQLite names it.
  var action: String {
    switch onDelete {
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    }
  }

  fileprivate var references: String {
    "REFERENCES \(Identifier.quoted(table)) (\(Identifier.quoted(referenced))) ON DELETE \(action)"
  }
}
