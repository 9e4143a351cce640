import Diagnostics
import Records

/// A table while it is put together: its shape, and where each of its names comes from.
struct TableDraft {
  var shape: TableShape
  /// Index of the counted record's name; nil for links.
  var record: Int?
  /// Where the table's name comes from.
  var span: SourceSpan
  /// Where each column's name comes from.
  var columnSpans: [SourceSpan]
  /// The relationship that made the table of a keyless child.
  var relationship: SourceSpan?

  init(_ shape: TableShape, record: Int?, at span: SourceSpan) {
    self.shape = shape
    self.record = record
    self.span = span
    columnSpans = [SourceSpan](repeating: span, count: shape.columns.count)
  }

  /// Adds a column, and gives a finding when another one has its name, letter case aside.
  mutating func add(_ column: ColumnShape, at span: SourceSpan) -> Diagnostic? {
    let other = shape.columns.firstIndex { Identifier.areSame($0.name, column.name) }
    let line = other.map { columnSpans[$0].start.line }
    shape.columns.append(column)
    columnSpans.append(span)
    guard let line else { return nil }
    return Diagnostic(
      .duplicateColumn,
      "the table '\(shape.name)' has two columns '\(column.name)', the first on line \(line)", at: span,
      hint: "give one of them another name")
  }
}

/// Names of tables and columns, as SQL compares them.
enum Identifier {
  /// SQL folds ASCII letters, and nothing else.
  static func areSame(_ a: String, _ b: String) -> Bool {
    func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    return a.utf8.elementsEqual(b.utf8) { folded($0) == folded($1) }
  }
}
