/// The page about all codes, as Markdown.
package enum DiagnosticReference {
  package static func markdown() -> String {
    DiagnosticCode.allCases.sorted { $0.rawValue < $1.rawValue }
      .map { "## `\($0.rawValue)`\n\n\($0.explanation.markdown)" }.joined(separator: "\n")
  }
}
