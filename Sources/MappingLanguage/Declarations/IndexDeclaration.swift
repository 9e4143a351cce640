package import Diagnostics

/// An entry of `indexes`.
package struct IndexDeclaration: Sendable {
  /// One at least; fields, or columns that the table has for other reasons.
  package var columns: [Located<String>]
  package var isUnique: Bool
  /// SQL over the record's columns, as it is written.
  package var condition: Located<String>?
  package var span: SourceSpan

  package init(
    columns: [Located<String>], isUnique: Bool = false, condition: Located<String>? = nil, span: SourceSpan
  ) {
    self.columns = columns
    self.isUnique = isUnique
    self.condition = condition
    self.span = span
  }
}
