import Diagnostics
import MappingLanguage
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
  /// The first column of each name.
  private var byName: [NameKey: Int] = [:]

  init(_ shape: TableShape, record: Int?, at span: SourceSpan) {
    self.shape = shape
    self.record = record
    self.span = span
    columnSpans = [SourceSpan](repeating: span, count: shape.columns.count)
    for (number, column) in shape.columns.enumerated().reversed() { byName[NameKey(folding: column.name)] = number }
  }

  /// Adds a column, and gives a finding when another one has its name, letter case aside.
  mutating func add(_ column: ColumnShape, at span: SourceSpan) -> Diagnostic? {
    let name = NameKey(folding: column.name)
    let found = byName[name].map { (name: shape.columns[$0].name, span: columnSpans[$0]) }
    if found == nil { byName[name] = shape.columns.count }
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

  /// The column of just this name.
  func column(named name: String) -> Int? {
    byName[NameKey(folding: name)].flatMap { NameKey(shape.columns[$0].name) == NameKey(name) ? $0 : nil }
  }
}

extension SourceSpan {
  /// Of two names that collide, the one written later is at fault, whichever was compiled first.
  func isWritten(before other: SourceSpan) -> Bool { file === other.file && start.offset < other.start.offset }
}
