import Records
import Store

/// Foreign keys after a change that was made while they were off.
struct ReferenceCheck {
  let connection: Connection

  /// Rows that refer to none; 0 when a foreign key is so broken that SQLite cannot tell, which is none of our making.
  func count() throws(StoreError) -> Int {
    let rows = try connection.prepare("SELECT count(*) FROM pragma_foreign_key_check")
    guard let hasRow = try? rows.step(), hasRow else { return 0 }
    defer { rows.reset() }
    return Int(rows.integer(0))
  }

  /// What a deletion of the missing rows would have done, in tables of the mapping: children and links go, other
  /// columns become null.
  func repair(in shapes: [TableShape]) throws(StoreError) {
    for shape in shapes where shape.role != .membership {
      guard let number = try SchemaReader(connection: connection).table(shape.name)?.rowNumber else { continue }
      for key in shape.foreignKeys { try repair(key, of: shape, number: number) }
    }
  }

  private func repair(_ key: ForeignKey, of shape: TableShape, number: String) throws(StoreError) {
    let table = Identifier.quoted(shape.name)
    let names = shape.names(key.columns).map { Identifier.quoted($0) }
    let isSet = names.map { "t.\($0) IS NOT NULL" }.conjunction
    let isEqual = zip(key.referenced, names).map { "p.\(Identifier.quoted($0)) = t.\($1)" }.conjunction
    let dangling =
      "SELECT t.\(number) FROM \(table) t WHERE \(isSet) "
      + "AND NOT EXISTS (SELECT 1 FROM \(Identifier.quoted(key.table)) p WHERE \(isEqual))"
    switch key.onDelete {
    case .cascade: try connection.run("DELETE FROM \(table) WHERE \(number) IN (\(dangling))")
    case .setNull:
      let assignments = names.map { "\($0) = NULL" }.joined(separator: ", ")
      try connection.run("UPDATE \(table) SET \(assignments) WHERE \(number) IN (\(dangling))")
    }
  }
}
