import Diagnostics

/// Commands that answer questions about a mapping and its store.
extension CommandTable {
  static let ofLooking: [CommandSpec] = [
    CommandSpec(
      .schema, "print a mapping's tables, or the mapping language's own schema",
      options: [
        config,
        OptionSpec(
          .format, oneOf: ["sql", "mermaid", "dot", "svg", "datasette", "json-schema"],
          "what is printed (sql); json-schema is the mapping language's own, for editors, and needs no mapping"),
        OptionSpec(.dialect, oneOf: ["sqlite", "postgres"], "whose SQL it is (as the store's URL says, else sqlite)"),
        OptionSpec(.store, "URL", "the database that is meant; it is not opened"),
      ] + logging,
      example: "ingest schema --config mapping.yaml --format mermaid",
      exitCodes: [
        (.done, "printed"), (.failed, "Graphviz, which draws svg, is not there or fails"),
        (.usage, "usage or mapping error, or names that the database cannot have"),
      ]),
    CommandSpec(
      .explain, "say where a stored value came from, or what a finding means",
      positionals: [
        PositionalSpec(
          "TABLE.COLUMN|CODE", "a column, or a finding's code, which stands in brackets behind 'error' or 'warning'",
          suggestions: DiagnosticCode.allCases.map(\.rawValue).sorted()),
        PositionalSpec(
          "KEY", "the row's key, a word for each column of it; a text in double quotes is read as JSON has it",
          isOptional: true, isRepeated: true),
      ],
      options: [config, store] + logging, example: "ingest explain users.name 7 --config mapping.yaml",
      exitCodes: [
        (.done, "explained, as far as something is kept of it"), (.failed, "there is no such row"),
        (.usage, "usage or mapping error, or no such column or code"), (.interrupted, ExitCode.interrupted.meaning),
      ]),
    CommandSpec(
      .status, "show runs, cursors, cut walks, rejects and dangling references",
      options: [
        config.required, store, OptionSpec(.format, oneOf: ["text", "json"], "how it is printed (text)"),
      ] + logging,
      example: "ingest status --config mapping.yaml",
      exitCodes: [
        (.done, "printed, also before any run"), (.failed, "the database cannot be read"),
        (.usage, ExitCode.usage.meaning),
      ]),
    CommandSpec(
      .prune, "shorten the bookkeeping and the archive",
      options: [
        config.required, store,
        OptionSpec(.keep, "TIME", "how much of the past stays, as 30d; a source's last run stays always").required,
        wait,
      ] + logging,
      example: "ingest prune --keep 30d --config mapping.yaml",
      exitCodes: [
        (.done, "done, also when there is nothing to remove"), (.failed, "the database cannot be written"),
        (.usage, ExitCode.usage.meaning), (.interrupted, ExitCode.interrupted.meaning),
      ]),
  ]
}
