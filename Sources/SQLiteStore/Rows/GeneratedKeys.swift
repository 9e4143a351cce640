import Records

/// Keys that SQLite gave to rows without one of their own, for the children that come with them in one batch.
///
/// Children name such a parent by its row's number in the batch (`Cell.Rule.generatedKey`); before they are written the
/// number is replaced by the key.
final class GeneratedKeys {
  /// Of each table, the table with generated keys that its parents, or theirs, are in.
  private let parents: [Int?]
  /// By table, then by row of the batch.
  private var keys: [[Int: Int64]]

  /// Nil where no table has such parents.
  init?(_ shapes: [TableShape]) {
    parents = shapes.map { Self.root(of: $0, in: shapes, levels: shapes.count) }
    guard parents.contains(where: { $0 != nil }) else { return nil }
    keys = Array(repeating: [:], count: shapes.count)
  }

  /// Children of a keyless child carry the key of its parent in front of its position.
  private static func root(of shape: TableShape, in shapes: [TableShape], levels: Int) -> Int? {
    guard levels > 0, !shape.parentKey.isEmpty,
      let key = shape.foreignKeys.first(where: { $0.columns == shape.parentKey }),
      let parent = shapes.firstIndex(where: { $0.name.utf8.elementsEqual(key.table.utf8) && $0.role != .membership })
    else { return nil }
    if shapes[parent].primaryKey.isEmpty { return key.referenced == [TableShape.generatedKey] ? parent : nil }
    guard shapes[parent].role == .onlyChild || shapes[parent].role == .listChild else { return nil }
    return root(of: shapes[parent], in: shapes, levels: levels - 1)
  }

  func beginBatch() {
    for index in keys.indices { keys[index].removeAll(keepingCapacity: true) }
  }

  func note(_ key: Int64, row: Int, of table: Int) {
    if parents.contains(table) { keys[table][row] = key }
  }

  /// Puts the parents' keys into rows and lists of a table.
  func resolve(_ batch: RecordBatch, table: Int, rows: Range<Int>, lists: Range<Int>) {
    guard let parent = parents[table] else { return }
    let (columns, width) = (batch.tables[table].columnCount, batch.tables[table].parentKeyCount)
    for row in rows { resolve(&batch.tables[table].cells[row * columns], parent) }
    for list in lists { resolve(&batch.tables[table].listKeys[list * width], parent) }
  }

  /// A parent that was not written has no key: its children are not written either.
  private func resolve(_ cell: inout Cell, _ parent: Int) {
    guard cell.rule == .generatedKey, let key = keys[parent][Int(cell.integerValue)] else { return }
    cell = .integer(key)
  }
}
