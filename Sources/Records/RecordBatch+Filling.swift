/// How rows and lists get into a batch: by calls that each do the whole of one step, and copy cells from where they lie.
extension RecordBatch {
  /// Adds a row with the cells at `cells`, as many as its table has columns, and gives its number.
  package func append(_ cells: UnsafePointer<Cell>, _ header: RowHeader, to table: Int) -> Int {
    let row = tables[table].rows.count
    let width = tables[table].columnCount
    tables[table].cells.append(contentsOf: UnsafeBufferPointer(start: cells, count: width))
    tables[table].rows.append(header)
    return row
  }

  /// Adds a list that has no rows yet, with the parent's key at `key`, and gives its number.
  package func append(_ list: ListStatement, ofParent key: UnsafePointer<Cell>, to table: Int) -> Int {
    let number = tables[table].lists.count
    let width = tables[table].parentKeyCount
    tables[table].lists.append(list)
    tables[table].listKeys.append(contentsOf: UnsafeBufferPointer(start: key, count: width))
    return number
  }

  package func set(_ rows: Range<Int>, ofList list: Int, in table: Int, hasUnknown: Bool = false) {
    tables[table].lists[list].rows = rows
    tables[table].lists[list].hasUnknown = hasUnknown
  }

  package func rowCount(of table: Int) -> Int { tables[table].rows.count }

  package func cell(_ column: Int, ofRow row: Int, in table: Int) -> Cell {
    tables[table].cells[row * tables[table].columnCount + column]
  }

  /// Copies these columns' cells of a row to `target`, one behind the other.
  package func copy(
    _ columns: UnsafeBufferPointer<Int>, ofRow row: Int, in table: Int, to target: UnsafeMutablePointer<Cell>
  ) {
    let first = row * tables[table].columnCount
    for (index, column) in columns.enumerated() { target[index] = tables[table].cells[first + column] }
  }

  package func set(_ cell: Cell, at column: Int, ofRow row: Int, in table: Int) {
    tables[table].cells[row * tables[table].columnCount + column] = cell
  }
}
