extension DiagnosticPrinter {
  /// For people: `file:line:col: error[code]: message`, the line with the place underlined, then `hint: …`.
  ///
  /// Control characters come out escaped, whatever the text held. A long line is cut around the place; a place of
  /// several lines is underlined in its first.
  package static func text(_ diagnostics: [Diagnostic], colour: Bool) -> String {
    var output = ""
    let paint = Paint(on: colour)
    for diagnostic in diagnostics {
      let (file, start) = (diagnostic.span.file, diagnostic.span.start)
      let severity = diagnostic.severity.rawValue
      let place = "\(VisibleText.escaped(file.name)):\(start.line):\(start.column):"
      let kind = paint.severity("\(severity)[\(diagnostic.code.rawValue)]:", diagnostic.severity)
      output += "\(paint.bold(place)) \(kind) \(paint.bold(VisibleText.escaped(diagnostic.message)))\n"
      let excerpt = SourceExcerpt(of: diagnostic.span, isMasked: diagnostic.code == .secretInClear)
      output += "\(excerpt.line)\n\(excerpt.indent)\(paint.severity(excerpt.carets, diagnostic.severity))\n"
      if let hint = diagnostic.hint { output += "  \(paint.bold("hint:")) \(VisibleText.escaped(hint))\n" }
    }
    return output
  }
}

/// Colours of a terminal, or none.
private struct Paint {
  let on: Bool

  func bold(_ text: String) -> String { wrap(text, "1") }

  func severity(_ text: String, _ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: wrap(text, "1;31")
    case .warning: wrap(text, "1;33")
    }
  }

  private func wrap(_ text: String, _ code: String) -> String {
    on ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
