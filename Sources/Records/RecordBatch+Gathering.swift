extension RecordBatch {
  /// Moves rows of a table behind all others that came since the mark, so that they lie together: those of a list in
  /// whose elements other lists of the same table were nested. What refers to rows of the table follows them.
  ///
  /// `rows` came since the mark, in order.
  package func gather(_ rows: [Int], ofTable table: Int, since mark: Mark) {
    let first = mark.tables[table].rows
    let end = tables[table].rows.count
    guard end - first > rows.count else { return }
    var isMoved = [Bool](repeating: false, count: end - first)
    for row in rows { isMoved[row - first] = true }
    let order = (first..<end).filter { !isMoved[$0 - first] } + rows
    var places = [Int](repeating: 0, count: end - first)
    for (place, row) in order.enumerated() { places[row - first] = first + place }
    tables[table].reorder(order, from: first)
    let follow = { (reference: inout RowReference) in
      guard reference.table == Int32(table), reference.row >= Int32(first) else { return }
      reference.row = Int32(places[Int(reference.row) - first])
    }
    for index in tables[table].lists.indices[mark.tables[table].lists...] {
      let range = tables[table].lists[index].rows
      guard range.lowerBound >= first, !range.isEmpty else { continue }
      let start = places[range.lowerBound - first]
      tables[table].lists[index].rows = start..<start + range.count
    }
    for other in tables.indices {
      for index in tables[other].rows.indices[mark.tables[other].rows...] { follow(&tables[other].rows[index].parent) }
      for index in tables[other].lists.indices[mark.tables[other].lists...] {
        follow(&tables[other].lists[index].parent)
      }
    }
    for index in self.order.indices[mark.order...] { follow(&self.order[index]) }
  }
}

extension TableRows {
  /// Puts the rows from `first` on into an order of their numbers.
  fileprivate mutating func reorder(_ order: [Int], from first: Int) {
    let headers = order.map { rows[$0] }
    let moved = order.flatMap { row($0) }
    rows.replaceSubrange(first..., with: headers)
    cells.replaceSubrange((first * columnCount)..., with: moved)
  }
}
