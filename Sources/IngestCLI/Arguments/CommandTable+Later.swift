/// Commands that help lists and the parser refuses by name, until they are built.
extension CommandTable {
  static let later: [CommandSpec] = [
    laterCommand(
      .test, "run the tests of mappings; says what they cover",
      positionals: [PositionalSpec("FILE", "a mapping or a folder", isRepeated: true)],
      options: [
        OptionSpec(.update, "rewrites expectations"), OptionSpec(.shuffle, "takes bodies in any order"),
        OptionSpec(.duplicatePages, "gives each page twice"), OptionSpec(.cutAt, "N", "ends each walk after N pages"),
      ],
      example: "ingest test mappings"),
    laterCommand(
      .schema, "print the schema, or the mapping language's own",
      options: [
        config,
        OptionSpec(
          .format, oneOf: ["sql", "mermaid", "dot", "svg", "datasette", "json-schema"], "what is printed (sql)"),
      ],
      example: "ingest schema --config mapping.yaml --format mermaid"),
    laterCommand(
      .explain, "say where a stored value came from, or what a finding means",
      positionals: [
        PositionalSpec("TABLE.COLUMN|CODE", "a column, or a finding's code"),
        PositionalSpec("KEY", "the row's key", isOptional: true, isRepeated: true),
      ],
      options: [config, store], example: "ingest explain users.name 7 --config mapping.yaml"),
    laterCommand(
      .status, "show runs, cursors, rejects and dangling references", options: [config.required, store],
      example: "ingest status --config mapping.yaml"),
    laterCommand(
      .prune, "shorten the bookkeeping and the archive",
      options: [config.required, store, OptionSpec(.keep, "TIME", "how much of the past stays, as 30d").required],
      example: "ingest prune --keep 30d --config mapping.yaml"),
    laterCommand(
      .completions, "print completions for a shell",
      positionals: [PositionalSpec("SHELL", "bash, zsh or fish")], example: "ingest completions bash"),
  ]

  private static func laterCommand(
    _ name: CommandName, _ summary: String, positionals: [PositionalSpec] = [], options: [OptionSpec] = [],
    example: String
  ) -> CommandSpec {
    CommandSpec(
      name, summary, isAvailable: false, positionals: positionals, options: options + logging, example: example,
      exitCodes: [(.usage, "not available yet")])
  }
}
