import Diagnostics
package import Records

/// Writes rows of one table as lines of JSON: `{"table": "users", "row": {"id": 1}}`.
///
/// Values are those that a store would get: booleans are 1 and 0, bytes are base64, a missing value is null. Numbers
/// are exact: an integer's digits, a real's shortest decimal that reads back as the same double.
package struct NDJSONRowWriter {
  /// All up to the first value; then, for each further column, what stands before its value.
  private let separators: [[UInt8]]
  private static let end = Array("}}\n".utf8)
  private static let null = Array("null".utf8)

  package init(table: String, columns: [String]) {
    let opening = "{\"table\": \(JSONText.quoted(table)), \"row\": {"
    separators = columns.enumerated().map { index, column in
      Array(((index == 0 ? opening : ", ") + JSONText.quoted(column) + ": ").utf8)
    }
  }

  package init(_ shape: TableShape) { self.init(table: shape.name, columns: shape.columns.map(\.name)) }

  /// - Parameter row: one cell for each column, in their order.
  package func write(_ row: ArraySlice<Cell>, to output: OutputBuffer) {
    precondition(row.count == separators.count && !row.isEmpty, "a row has a cell for each column")
    for (separator, cell) in zip(separators, row) {
      output.append(separator)
      switch cell.kind {
      case .missing, .null: output.append(Self.null)
      case .integer: output.append(decimal: cell.integerValue)
      case .real:
        precondition(cell.realValue.isFinite, "a row holds finite numbers only")
        output.append(cell.realValue.description)
      case .text: JSONBytes.append(text: cell.rawBytes, to: output)
      case .bytes: JSONBytes.append(base64: cell.rawBytes, to: output)
      }
    }
    output.append(Self.end)
  }
}
