/// What `ingest explain CODE` and docs/diagnostics.md say about findings of one code.
package struct DiagnosticExplanation: Sendable {
  package enum Severity: String, Sendable {
    case error, warning
    /// It depends on what was found.
    case either = "error or warning"
  }

  package let severity: Severity
  /// One sentence.
  package let meaning: String
  /// What else there is to know; may be empty.
  package let details: String
  /// Sections of a mapping that provoke such a finding.
  package let example: String
  /// The example is all of the file: nothing is to be put around it.
  package let isWhole: Bool
  /// What to do.
  package let remedy: String

  init(
    _ meaning: String, severity: Severity = .error, details: String = "", example: String, isWhole: Bool = false,
    remedy: String
  ) {
    self.severity = severity
    self.meaning = meaning
    self.details = details
    self.example = example
    self.isWhole = isWhole
    self.remedy = remedy
  }

  package var description: String { details.isEmpty ? meaning : meaning + " " + details }

  /// The example as a file: with the sections around it that every mapping needs.
  package var mapping: String {
    if isWhole { return example + "\n" }
    let lines = example.split(separator: "\n")
    let missing = Self.frame.filter { section in !lines.contains { $0.utf8.starts(with: "\(section.name):".utf8) } }
    return ([example] + missing.map { "\($0.name): \($0.value)" }).joined(separator: "\n") + "\n"
  }

  private static let frame = [
    (name: "ingest", value: "1"), (name: "source", value: "{name: shop, base_url: https://api.example.test}"),
    (name: "records", value: "{User: {table: users, key: id, fields: {id: {type: integer}, name: {type: text}}}}"),
    (name: "endpoints", value: "{users: {path: /users, records: {users: User}}}"),
  ]

  /// For a terminal.
  package func text(of code: DiagnosticCode) -> String {
    let paragraphs = [
      "\(code.rawValue) (\(severity.rawValue))", Self.wrapped(description), "For example:",
      Self.indented(example, by: "    "), Self.wrapped("What to do: " + remedy),
    ]
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// A part of the page, without a heading.
  package var markdown: String {
    let title = severity.rawValue.prefix(1).uppercased() + severity.rawValue.dropFirst()
    return "*\(title).* \(description)\n\n```yaml\n\(example)\n```\n\n\(remedy)\n"
  }

  private static func indented(_ text: String, by margin: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : margin + $0 }
      .joined(separator: "\n")
  }

  private static func wrapped(_ text: String, to width: Int = 80) -> String {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.unicodeScalars.count + 1 + word.unicodeScalars.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
