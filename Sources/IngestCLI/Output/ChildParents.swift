import Records

/// The parents of keyed children (`via: child`), which a batch tells apart from the children's rows.
struct ChildParents {
  private struct Key: Hashable {
    private var bytes: [UInt8] = []

    init(_ cells: some Sequence<Cell>) {
      for cell in cells {
        bytes.append(cell.kind.rawValue)
        switch cell.kind {
        case .missing, .null: break
        case .integer, .real: withUnsafeBytes(of: cell.payload) { bytes += $0 }
        case .text, .bytes:
          withUnsafeBytes(of: cell.length) { bytes += $0 }
          bytes += cell.rawBytes
        }
      }
    }
  }

  /// Of each table of children: by a child's key, what its columns of the parent hold. The last parent has it.
  private var parents: [Int: [Key: [(column: Int, cell: Cell)]]] = [:]
  private let shapes: [TableShape]

  init(of batch: RecordBatch, _ shapes: [TableShape]) {
    self.shapes = shapes
    for (index, shape) in shapes.enumerated() where shape.role == .membership {
      guard let child = shape.child else { preconditionFailure("a membership knows its child's table") }
      let rows = batch.tables[index]
      for (number, header) in rows.rows.enumerated() where !header.isShield && !header.isTombstone {
        let cells = rows.row(number)
        let key = Key(cells.dropFirst(shape.childColumns.count).prefix(shapes[child].primaryKey.count))
        parents[child, default: [:]][key, default: []] += zip(shape.childColumns, cells).map { ($0, $1) }
      }
    }
  }

  /// The row of a child as a store would have it.
  func completed(_ row: ArraySlice<Cell>, of table: Int) -> ArraySlice<Cell> {
    guard let known = parents[table] else { return row }
    guard let columns = known[Key(shapes[table].primaryKey.map { row[row.startIndex + $0] })] else { return row }
    var row = Array(row)
    for (column, cell) in columns { row[column] = cell }
    return row[...]
  }
}
