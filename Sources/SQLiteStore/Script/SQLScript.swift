import Records
import Store

/// Tables with their rows as SQL text that makes them again in another database.
struct SQLScript {
  private let connection: Connection
  private let shapes: [TableShape]
  /// Rows may come before those that they refer to: tables refer to themselves, or in a circle.
  private let needsDeferral: Bool
  private let literals: SQLLiterals

  /// References to tables that are none of these are left out.
  init(_ connection: Connection, _ shapes: [TableShape]) throws(StoreError) {
    self.connection = connection
    let names = Set(shapes.map { FoldedName($0.name) })
    let kept = shapes.map { shape in
      var shape = shape
      shape.foreignKeys.removeAll { !names.contains(FoldedName($0.table)) }
      return shape
    }
    (self.shapes, needsDeferral) = Self.inOrder(kept)
    literals = try SQLLiterals(connection)
  }

  /// `write` says whether anybody still reads.
  func write(_ write: ([UInt8]) -> Bool) throws(StoreError) {
    guard write(Array("BEGIN;\n".utf8)) else { return }
    if needsDeferral { _ = write(Array("PRAGMA defer_foreign_keys = ON;\n".utf8)) }
    for shape in shapes { _ = write(Array("\(shape.createTable);\n".utf8)) }
    for shape in shapes {
      guard try writeRows(of: shape, write) else { return }
    }
    for shape in shapes { try writeIndexes(of: shape, write) }
    _ = write(Array("COMMIT;\n".utf8))
  }

  private func writeRows(of shape: TableShape, _ write: ([UInt8]) -> Bool) throws(StoreError) -> Bool {
    let table = Identifier.quoted(shape.name)
    let generated = shape.primaryKey.isEmpty ? [TableShape.generatedKey] : []
    let columns = Identifier.quoted(generated + shape.columns.map(\.name))
    let opening = Array("INSERT INTO \(table) (\(columns)) VALUES (".utf8)
    let rows = try connection.prepare("SELECT \(columns) FROM \(table)")
    while try rows.step() {
      var text = opening
      for column in 0..<rows.columnCount {
        if column > 0 { text += [UInt8(ascii: ","), UInt8(ascii: " ")] }
        try literals.append(rows, column, to: &text)
      }
      text += [UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "\n")]
      guard write(text) else { return false }
    }
    return true
  }

  private func writeIndexes(of shape: TableShape, _ write: ([UInt8]) -> Bool) throws(StoreError) {
    let indexes = try connection.prepare(
      """
      SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?1 COLLATE NOCASE
      """)
    try indexes.bind(shape.name, at: 0)
    while try indexes.step() { _ = write(Array("\(indexes.text(0) ?? "");\n".utf8)) }
  }

  /// A table behind those that it refers to, as far as that goes.
  private static func inOrder(_ shapes: [TableShape]) -> (shapes: [TableShape], isCircular: Bool) {
    var left = shapes
    var ordered: [TableShape] = []
    var isCircular = shapes.contains { shape in
      shape.foreignKeys.contains { FoldedName($0.table) == FoldedName(shape.name) }
    }
    // Ends: each turn takes one away.
    while !left.isEmpty {
      let free = left.firstIndex { shape in
        shape.foreignKeys.allSatisfy { key in
          FoldedName(key.table) == FoldedName(shape.name)
            || !left.contains { FoldedName($0.name) == FoldedName(key.table) }
        }
      }
      if free == nil { isCircular = true }
      ordered.append(left.remove(at: free ?? 0))
    }
    return (ordered, isCircular)
  }
}
