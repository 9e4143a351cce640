/// Commands that draft mappings.
extension CommandTable {
  static let ofDrafting: [CommandSpec] = [
    CommandSpec(
      .infer, "draft a mapping from bodies",
      positionals: [
        PositionalSpec(
          "SAMPLE", "a body, NDJSON, either as .gz or .zst, a folder of them, or - (stdin)", isRepeated: true)
      ],
      options: logging,
      example: "ingest infer users.json",
      exitCodes: [
        (.done, "a draft was printed; what is uncertain in it is on stderr"), (.failed, "a body cannot be read"),
        (.usage, "usage, or a missing file"), (.interrupted, ExitCode.interrupted.meaning),
      ]),
    CommandSpec(
      .import, "draft a mapping from a description of an API",
      positionals: [
        PositionalSpec("KIND", "openapi, airbyte or har", suggestions: ["openapi", "airbyte", "har"]),
        PositionalSpec("FILE", "the description, JSON or YAML, or - (stdin)"),
      ],
      options: logging,
      example: "ingest import openapi openapi.json",
      exitCodes: [
        (.done, "a draft was printed; what was not carried over is on stderr"),
        (.failed, "the file is no such description"),
        (.usage, "usage, or a missing file"), (.interrupted, ExitCode.interrupted.meaning),
      ]),
  ]
}
