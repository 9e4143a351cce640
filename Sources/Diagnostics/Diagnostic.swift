/// One finding about a mapping: what is wrong, where, and what to do.
package struct Diagnostic: Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package let code: DiagnosticCode
  package let severity: Severity
  package let span: SourceSpan
  /// The fact, lower case, no full stop, the thing in quotes.
  package let message: String
  /// What to do about it.
  package let hint: String?

  package init(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil, severity: Severity = .error
  ) {
    self.code = code
    self.severity = severity
    self.span = span
    self.message = message
    self.hint = hint
  }
}

extension [Diagnostic] {
  /// Does one of them forbid to go on?
  package var containsErrors: Bool { contains { $0.severity == .error } }

  /// In the order of their files' first mention, then of their places.
  package func inOrder() -> [Diagnostic] {
    var rank: [ObjectIdentifier: Int] = [:]
    for diagnostic in self where rank[ObjectIdentifier(diagnostic.span.file)] == nil {
      rank[ObjectIdentifier(diagnostic.span.file)] = rank.count
    }
    return enumerated().sorted { a, b in
      let (ra, rb) = (rank[ObjectIdentifier(a.element.span.file)], rank[ObjectIdentifier(b.element.span.file)])
      if let ra, let rb, ra != rb { return ra < rb }
      let (pa, pb) = (a.element.span.start.offset, b.element.span.start.offset)
      return pa != pb ? pa < pb : a.offset < b.offset
    }.map(\.element)
  }
}
