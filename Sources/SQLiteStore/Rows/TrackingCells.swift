import Records

/// A copy of what a row holds in the columns of `track: true`, for changes of rows whose cells are not at hand.
struct TrackingCells {
  let columns: [Int]
  /// In the order of `columns`; empty before the first row.
  private(set) var cells: [Cell] = []
  private let arena = ByteArena()

  init(_ columns: [Int]) { self.columns = columns }

  mutating func keep(_ row: [Cell], at base: Int) {
    let isKnown = !cells.isEmpty && zip(columns, cells).allSatisfy { row[base + $0].isSame(as: $1) }
    if isKnown { return }
    arena.reset()
    cells = columns.map { column in
      let cell = row[base + column]
      switch cell.kind {
      case .text: return unsafe .text(arena.copy(cell.rawBytes))
      case .bytes: return unsafe .bytes(arena.copy(cell.rawBytes))
      case .missing, .null, .integer, .real: return cell
      }
    }
  }
}
