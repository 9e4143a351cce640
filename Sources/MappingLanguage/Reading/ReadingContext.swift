import Diagnostics
import MarkedYAML

/// What the readers of the sections share: the names of the mapping, and the findings so far.
final class ReadingContext {
  let symbols: Symbols
  private(set) var diagnostics: [Diagnostic] = []
  /// Inline children, in the order in which they were met.
  var inlineRecords: [RecordDeclaration] = []

  init(symbols: Symbols) { self.symbols = symbols }

  func report(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint, severity: severity))
  }
}
