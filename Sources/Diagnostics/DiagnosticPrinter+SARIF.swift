extension DiagnosticPrinter {
  /// SARIF 2.1.0: one run, the rules that were broken, a result for each finding.
  ///
  /// Columns count Unicode scalars, and say so (`columnKind`). Files are relative to the working folder where they lie
  /// below it.
  package static func sarif(_ diagnostics: [Diagnostic], version: String, paths: RelativePath) -> String {
    var rules: [DiagnosticCode] = []
    for diagnostic in diagnostics where !rules.contains(diagnostic.code) { rules.append(diagnostic.code) }
    let driver = object([
      ("name", JSONText.quoted("ingest")), ("version", JSONText.quoted(version)),
      ("semanticVersion", JSONText.quoted(version)), ("rules", list(rules.map(rule), indent: "          ")),
    ])
    let results = diagnostics.map { result($0, ruleIndex: rules.firstIndex(of: $0.code) ?? 0, paths) }
    return """
      {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          {
            "tool": {"driver": \(driver)},
            "columnKind": "unicodeCodePoints",
            "results": \(list(results, indent: "        "))
          }
        ]
      }

      """
  }

  private static func rule(_ code: DiagnosticCode) -> String {
    let explanation = code.explanation
    let level = explanation.severity == .warning ? "warning" : "error"
    return object([
      ("id", JSONText.quoted(code.rawValue)),
      ("shortDescription", message(explanation.meaning)),
      ("fullDescription", message(explanation.description)),
      (
        "help",
        object([
          ("text", JSONText.quoted(explanation.text(of: code))),
          ("markdown", JSONText.quoted(explanation.markdown)),
        ])
      ),
      ("defaultConfiguration", object([("level", JSONText.quoted(level))])),
    ])
  }

  private static func result(_ diagnostic: Diagnostic, ruleIndex: Int, _ paths: RelativePath) -> String {
    let (start, end) = (diagnostic.span.start, diagnostic.span.end)
    let name = diagnostic.span.file.name
    var artifact = [("uri", JSONText.quoted(paths.reference(to: name)))]
    if paths.name(of: name).utf8.first != UInt8(ascii: "/") { artifact.append(("uriBaseId", "\"%SRCROOT%\"")) }
    let region = object([
      ("startLine", "\(start.line)"), ("startColumn", "\(start.column)"), ("endLine", "\(end.line)"),
      ("endColumn", "\(end.column)"),
    ])
    let place = object([("artifactLocation", object(artifact)), ("region", region)])
    let hint = diagnostic.hint.map { "\nhint: \($0)" } ?? ""
    return object([
      ("ruleId", JSONText.quoted(diagnostic.code.rawValue)), ("ruleIndex", "\(ruleIndex)"),
      ("level", JSONText.quoted(diagnostic.severity.rawValue)), ("message", message(diagnostic.message + hint)),
      ("locations", "[" + object([("physicalLocation", place)]) + "]"),
    ])
  }

  private static func message(_ text: String) -> String { object([("text", JSONText.quoted(text))]) }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(JSONText.quoted($0)): \($1)" }.joined(separator: ", ") + "}"
  }

  private static func list(_ items: [String], indent: String) -> String {
    guard !items.isEmpty else { return "[]" }
    return "[\n" + items.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n\(indent)]"
  }
}
