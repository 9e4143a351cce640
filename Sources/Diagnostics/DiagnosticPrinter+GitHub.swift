extension DiagnosticPrinter {
  /// Workflow commands of GitHub Actions, a line for each finding: they become annotations beside the code.
  ///
  /// Of a place of several lines only the start is said: GitHub has columns for places within one line alone.
  package static func github(_ diagnostics: [Diagnostic], paths: RelativePath) -> String {
    diagnostics.map { command($0, paths) }.joined()
  }

  private static func command(_ diagnostic: Diagnostic, _ paths: RelativePath) -> String {
    let (start, end) = (diagnostic.span.start, diagnostic.span.end)
    var properties = [
      ("file", VisibleText.escaped(paths.name(of: diagnostic.span.file.name))), ("line", "\(start.line)"),
      ("col", "\(start.column)"),
    ]
    if end.line == start.line, end.column > start.column { properties.append(("endColumn", "\(end.column)")) }
    properties.append(("title", diagnostic.code.rawValue))
    let list = properties.map { "\($0)=\(escaped($1, ":,"))" }.joined(separator: ",")
    let hint = diagnostic.hint.map { "\nhint: " + VisibleText.escaped($0) } ?? ""
    let message = escaped(VisibleText.escaped(diagnostic.message) + hint, "")
    return "::\(diagnostic.severity.rawValue) \(list)::\(message)\n"
  }

  /// What would end a command, or one of its properties, by its number.
  private static func escaped(_ text: String, _ others: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "\r" || scalar == "\n" || others.unicodeScalars.contains(scalar) {
        output.append(contentsOf: ("%" + VisibleText.hexadecimal(scalar.value, digits: 2)).unicodeScalars)
      } else {
        output.append(scalar)
      }
    }
    return String(output)
  }
}
