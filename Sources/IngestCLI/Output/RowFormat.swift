import Records

/// A form in which rows are printed, as they come.
protocol RowFormat: AnyObject {
  /// Once, before the first row. `printed` are the numbers of the tables whose rows will come.
  func begin(_ shapes: [TableShape], printed: [Int], to output: OutputBuffer)

  /// - Parameter row: one cell for each column of the table, in their order; lent for the call.
  func write(_ row: ArraySlice<Cell>, of table: Int, to output: OutputBuffer)

  /// Once, behind the last row.
  func finish(_ output: OutputBuffer)

  /// What is to be said about what was printed.
  var note: String? { get }
}

extension RowFormat {
  func finish(_ output: OutputBuffer) {}
  var note: String? { nil }
}

/// Lines of JSON.
final class NDJSONRows: RowFormat {
  private var writers: [NDJSONRowWriter] = []

  func begin(_ shapes: [TableShape], printed: [Int], to output: OutputBuffer) {
    writers = shapes.map { NDJSONRowWriter($0) }
  }

  func write(_ row: ArraySlice<Cell>, of table: Int, to output: OutputBuffer) {
    writers[table].write(row, to: output)
  }
}
