package import Diagnostics
package import Values

/// A case of a choice's `switch`. Cases are tried in their order; a value that none of them takes is rejected.
package struct CaseDeclaration: Sendable {
  package enum Outcome: Sendable {
    /// The record's name, which may be another choice's; choices never lead back to themselves.
    case record(Located<String>)
    case skip, reject
  }

  /// Nil for `else`, which takes everything.
  package var when: Condition?
  package var whenSpan: SourceSpan?
  package var outcome: Outcome
  package var span: SourceSpan

  package init(when: Condition? = nil, whenSpan: SourceSpan? = nil, outcome: Outcome, span: SourceSpan) {
    self.when = when
    self.whenSpan = whenSpan
    self.outcome = outcome
    self.span = span
  }
}
