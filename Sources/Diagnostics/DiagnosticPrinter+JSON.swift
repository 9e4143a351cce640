extension DiagnosticPrinter {
  /// For programs: `{"ok", "errors", "warnings", "diagnostics": […]}` in one line; `ok` means that there is no error, nor
  /// a warning where they are denied.
  package static func json(_ diagnostics: [Diagnostic], denyingWarnings: Bool = false) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let members = diagnostics.map(member).joined(separator: ", ")
    let counts = "\"errors\": \(errors), \"warnings\": \(diagnostics.count - errors)"
    let isOK = errors == 0 && (diagnostics.isEmpty || !denyingWarnings)
    return "{\"ok\": \(isOK), \(counts), \"diagnostics\": [\(members)]}\n"
  }

  /// As a part of another report: what stands in `diagnostics`.
  package static func tree(_ diagnostic: Diagnostic) -> JSONTree {
    .object([
      .init("file", .text(diagnostic.span.file.name)), .init("line", .integer(diagnostic.span.start.line)),
      .init("column", .integer(diagnostic.span.start.column)),
      .init("severity", .text(diagnostic.severity.rawValue)), .init("code", .text(diagnostic.code.rawValue)),
      .init("message", .text(diagnostic.message)), .init("hint", .text(diagnostic.hint)),
    ])
  }

  private static func member(_ diagnostic: Diagnostic) -> String {
    let start = diagnostic.span.start
    let members: [(String, String)] = [
      ("file", JSONText.quoted(diagnostic.span.file.name)),
      ("line", "\(start.line)"),
      ("column", "\(start.column)"),
      ("severity", JSONText.quoted(diagnostic.severity.rawValue)),
      ("code", JSONText.quoted(diagnostic.code.rawValue)),
      ("message", JSONText.quoted(diagnostic.message)),
      ("hint", diagnostic.hint.map(JSONText.quoted) ?? "null"),
    ]
    return "{" + members.map { "\(JSONText.quoted($0)): \($1)" }.joined(separator: ", ") + "}"
  }
}
