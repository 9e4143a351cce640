/// Commands that answer questions about ingest itself: they read no mapping.
extension CommandTable {
  static let asking: [CommandSpec] = [
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
