/// What stands in a command line beside the options.
package struct PositionalSpec: Sendable {
  package let placeholder: String
  package let summary: String
  package let isOptional: Bool
  /// Takes all that follow; only the last one may.
  package let isRepeated: Bool
  /// Words that a shell offers there.
  package let suggestions: [String]

  package init(
    _ placeholder: String, _ summary: String, isOptional: Bool = false, isRepeated: Bool = false,
    suggestions: [String] = []
  ) {
    self.placeholder = placeholder
    self.summary = summary
    self.isOptional = isOptional
    self.isRepeated = isRepeated
    self.suggestions = suggestions
  }

  /// As a usage line shows it: `FILE…`, `[COMMAND]`.
  package var usage: String {
    let name = isRepeated ? placeholder + "…" : placeholder
    return isOptional ? "[\(name)]" : name
  }
}

/// One command: what the parser takes and what help says.
package struct CommandSpec: Sendable {
  package let name: CommandName
  package let summary: String
  package let positionals: [PositionalSpec]
  package let options: [OptionSpec]
  package let example: String
  package let exitCodes: [(code: ExitCode, meaning: String)]

  package init(
    _ name: CommandName, _ summary: String, positionals: [PositionalSpec] = [], options: [OptionSpec] = [],
    example: String, exitCodes: [(code: ExitCode, meaning: String)]
  ) {
    self.name = name
    self.summary = summary
    self.positionals = positionals
    self.options = options
    self.example = example
    self.exitCodes = exitCodes
  }

  package func option(_ name: OptionName) -> OptionSpec? { options.first { $0.name == name } }
}
