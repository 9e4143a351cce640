/// Commands that help lists and the parser refuses by name, until they are built.
extension CommandTable {
  static let later: [CommandSpec] = [
    laterCommand(
      .infer, "draft a mapping from bodies", positionals: [PositionalSpec("SAMPLE", "a body", isRepeated: true)],
      example: "ingest infer users.json > mapping.yaml"),
    laterCommand(
      .import, "draft a mapping from a description of an API",
      positionals: [
        PositionalSpec("KIND", "openapi, airbyte or har", suggestions: ["openapi", "airbyte", "har"]),
        PositionalSpec("FILE", "the description"),
      ],
      example: "ingest import openapi openapi.json > mapping.yaml"),
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
