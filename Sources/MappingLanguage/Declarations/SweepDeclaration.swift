package import Diagnostics

/// `sweep` of a record: rows that a complete walk has not seen are deleted.
package struct SweepDeclaration: Sendable {
  /// How much may go at once.
  package enum MaxDelete: Sendable, Hashable {
    case rows(Int)
    /// Of the scope's rows, in thousandths: 20% is 200.
    case share(Int)
  }

  /// SQL over the record's columns, as it is written: only rows for which it holds go.
  package var condition: Located<String>?
  /// Nil: the default of the language.
  package var maxDelete: MaxDelete?
  package var span: SourceSpan

  package init(condition: Located<String>? = nil, maxDelete: MaxDelete? = nil, span: SourceSpan) {
    self.condition = condition
    self.maxDelete = maxDelete
    self.span = span
  }
}
