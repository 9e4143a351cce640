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
    let found = other.map { (name: shape.columns[$0].name, span: columnSpans[$0]) }
    shape.columns.append(column)
    columnSpans.append(span)
    guard let found else { return nil }
    let isFirst = span.isWritten(before: found.span)
    return Diagnostic(
      .duplicateColumn,
      "the table '\(shape.name)' has two columns '\(isFirst ? found.name : column.name)', the first on line "
        + "\((isFirst ? span : found.span).start.line)",
      at: isFirst ? found.span : span, hint: "give one of them another name")
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

extension SourceSpan {
  /// Of two names that collide, the one written later is at fault, whichever was compiled first.
  func isWritten(before other: SourceSpan) -> Bool { file === other.file && start.offset < other.start.offset }
}
