import Diagnostics
import MarkedYAML

/// What the readers of the sections share: the names of the mapping, and the findings so far.
final class ReadingContext {
  let symbols: Symbols
  private(set) var diagnostics: [Diagnostic] = []
  /// Inline children, in the order in which they were met.
  var inlineRecords: [RecordDeclaration] = []

  /// What was found of pairs of date formats: a mapping has few, in many fields.
  var contradictions: [FormatPair: Bool] = [:]

  private var reportedOnce: Set<ReportedOnce> = []

  /// What was said of a map, which several aliases may stand for.
  private struct ReportedOnce: Hashable {
    let file: ObjectIdentifier
    let start: SourcePosition
    let message: String
  }

  init(symbols: Symbols) { self.symbols = symbols }

  func report(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint, severity: severity))
  }

  /// Something that a map lacks, reported at the first of the keys that it stands behind.
  func reportOnce(
    _ code: DiagnosticCode, _ message: String, of map: SourceSpan, at span: SourceSpan, hint: String? = nil
  ) {
    let mark = ReportedOnce(file: ObjectIdentifier(map.file), start: map.start, message: message)
    if reportedOnce.insert(mark).inserted { report(code, message, at: span, hint: hint) }
  }
}
