import Diagnostics

/// Commands that answer questions about ingest itself: they read no mapping.
extension CommandTable {
  static let asking: [CommandSpec] = [
    CommandSpec(
      .explain, "say what a finding means, and what to do",
      positionals: [
        PositionalSpec(
          "CODE", "a finding's code, which stands in brackets behind 'error' or 'warning'",
          suggestions: DiagnosticCode.allCases.map(\.rawValue).sorted()),
        PositionalSpec(
          "KEY", "with TABLE.COLUMN for CODE, which is not available yet", isOptional: true, isRepeated: true),
      ],
      options: [config.later, store.later] + logging,
      example: "ingest explain unknown-key",
      exitCodes: [(.done, "explained"), (.usage, "no such code")]),
    CommandSpec(
      .schema, "print the schema, or the mapping language's own",
      options: [
        config.later,
        OptionSpec(
          .format, oneOf: ["json-schema"], later: ["sql", "mermaid", "dot", "svg", "datasette"],
          "what is printed: json-schema is the mapping language's own, for editors"
        ).required,
      ] + logging,
      example: "ingest schema --format json-schema",
      exitCodes: [(.done, "printed"), (.usage, ExitCode.usage.meaning)]),
    CommandSpec(
      .completions, "print completions for a shell",
      positionals: [
        PositionalSpec("SHELL", "bash, zsh or fish", suggestions: CompletionsInvocation.Shell.allCases.map(\.rawValue))
      ],
      options: logging,
      example: "ingest completions bash",
      exitCodes: [(.done, "printed"), (.usage, "another shell")]),
    CommandSpec(
      .help, "say what a command does, takes and gives",
      positionals: [
        PositionalSpec(
          "COMMAND", "all commands, when it is left out", isOptional: true,
          suggestions: CommandName.allCases.map(\.rawValue))
      ],
      options: [OptionSpec(.man, "the manual page of all commands, as groff reads it")],
      example: "ingest help load",
      exitCodes: [(.done, "always, when there is such a command"), (.usage, "there is none")]),
  ]
}
