/// All commands, declared once: the parser and help are made from this table.
package enum CommandTable {
  package static let commands: [CommandSpec] = ofRunning + ofLooking + ofDrafting + asking

  package static func command(_ name: CommandName) -> CommandSpec {
    guard let command = commands.first(where: { $0.name == name }) else {
      preconditionFailure("every command is in the table")
    }
    return command
  }

  private static let ofRunning: [CommandSpec] = [
    CommandSpec(
      .run, "fetch, map and store what mappings declare",
      positionals: [PositionalSpec("FILE", "a mapping, as --config", isOptional: true, isRepeated: true)],
      options: [config.repeatable, endpoint, set, secrets, store, recorded, maxRejects, allowLoss] + fetching
        + logging,
      example: "ingest run mappings/nyt.yaml --recorded samples/nyt/recorded",
      exitCodes: ofRunsWithDrift),
    CommandSpec(
      .load, "store bodies from files",
      positionals: [files],
      options: [config.required] + routing + [set, secrets, store, maxRejects, allowLoss, partial, wait, drift]
        + logging,
      example: "ingest load users.json --config mapping.yaml --endpoint users",
      exitCodes: ofRunsWithDrift),
    CommandSpec(
      .map, "print the rows that `load` would store; touches no database",
      positionals: [files],
      options: [config.required] + routing + [mapFormat, table, set, secrets, maxRejects, partial] + logging,
      example: "ingest map users.json --config mapping.yaml --format ndjson",
      exitCodes: ofRuns),
    CommandSpec(
      .validate, "check mappings and run their tests; needs no network, no store",
      positionals: [
        PositionalSpec("FILE", "a mapping, a folder (its .yaml and .yml files), or - (stdin)", isRepeated: true)
      ],
      options: [findingsFormat, denyWarnings] + logging,
      example: "ingest validate mappings --deny-warnings",
      exitCodes: [(.done, "no errors"), (.usage, "errors, failing tests, or warnings that are denied")]),
    CommandSpec(
      .test, "run the tests of mappings; say what they do not reach",
      positionals: [
        PositionalSpec("FILE", "a mapping, a folder (its .yaml and .yml files), or - (stdin)", isRepeated: true)
      ],
      options: [
        OptionSpec(
          .format, oneOf: TestInvocation.Format.allCases.map(\.rawValue), "how results are printed (text)"),
        OptionSpec(.update, "rewrites what is expected by what comes; the rest of the file stays as it is"),
        OptionSpec(.shuffle, "pages and members come in another order: the tables must be the same"),
        OptionSpec(.seed, "N", "the order that --shuffle tries; it is printed"),
        OptionSpec(.duplicatePages, "each page comes twice: the tables must be the same"),
        OptionSpec(.cutAt, "N", "each walk is cut after N pages and continued: the tables must be the same"),
      ] + logging,
      example: "ingest test mappings --duplicate-pages",
      exitCodes: [
        (.done, "all tests hold"), (.failed, "a test does not hold, or --update cannot mend it"),
        (.usage, ExitCode.usage.meaning),
      ]),
    CommandSpec(
      .route, "say which descriptors match a request, and why the others do not",
      positionals: [PositionalSpec("METHOD", "as GET"), PositionalSpec("URL", "whole, or a path under base_url")],
      options: [config.required] + logging,
      example: "ingest route GET /users/7 --config mapping.yaml",
      exitCodes: [(.done, "a descriptor matches"), (.failed, "none does"), (.usage, ExitCode.usage.meaning)]),
    CommandSpec(
      .plan, "print the DDL to come",
      options: [config.required, set, secrets, store] + logging,
      example: "ingest plan --config mapping.yaml --store sqlite:out.db",
      exitCodes: [
        (.done, "printed, also when steps would lose data"), (.failed, "the database cannot be read"),
        (.usage, ExitCode.usage.meaning),
      ]),
    CommandSpec(
      .try, "make one request and show what each descriptor makes of it",
      positionals: [PositionalSpec("ENDPOINT", "an endpoint of the mapping")],
      options: [
        config.required,
        OptionSpec(.set, "NAME=VALUE", "gives a variable, a path parameter or a name of for_each its value").repeatable,
        secrets, OptionSpec(.store, "URL", "where the stored parents of a for_each are; nothing is stored"), recorded,
      ] + logging,
      example: "ingest try search --config mappings/nyt.yaml --recorded samples/nyt/recorded",
      exitCodes: [
        (.done, "the answer was mapped, or a rule passes it over"),
        (.failed, "no answer, an error answer, or no key path is found"), (.usage, ExitCode.usage.meaning),
        (.rejections, "mapped, but records were rejected"), (.interrupted, ExitCode.interrupted.meaning),
      ]),
    CommandSpec(
      .record, "run, and keep the answers as files for --recorded",
      positionals: [PositionalSpec("DIR", "folder for the answers, made when it is not there")],
      options: [config.required, endpoint, set, secrets, store, recorded, maxRejects, allowLoss] + fetching
        + logging,
      example: "ingest record answers --config mapping.yaml",
      exitCodes: ofRunsWithDrift),
    CommandSpec(
      .replay, "map archived bodies again, without a request",
      options: [
        config.required, endpoint, OptionSpec(.rejects, "maps the kept rejects, in place of the archive"), set, secrets,
        store, maxRejects, allowLoss, wait,
      ] + logging,
      example: "ingest replay --config mapping.yaml",
      exitCodes: ofRuns),
  ]

  private static let ofRunsWithDrift = ofRuns.map { code, meaning in
    (
      code: code,
      meaning: code == .rejections
        ? "done; records were rejected (see --max-rejects), or --drift found a change" : meaning
    )
  }

  static let ofRuns: [(code: ExitCode, meaning: String)] = [
    (.done, ExitCode.done.meaning), (.failed, ExitCode.failed.meaning), (.usage, ExitCode.usage.meaning),
    (.rejections, ExitCode.rejections.meaning + " (see --max-rejects)"),
    (.interrupted, ExitCode.interrupted.meaning),
  ]
}

/// The options, each worded once.
extension CommandTable {
  static let config = OptionSpec(.config, "FILE", "the mapping")
  static let endpoint = OptionSpec(.endpoint, "NAME", "only this endpoint")
  static let set = OptionSpec(.set, "NAME=VALUE", "gives a variable its value").repeatable
  static let secrets = OptionSpec(
    .secrets, "FILE", "file of NAME=value lines for ${secret.NAME}, - for stdin; before the environment")
  static let store = OptionSpec(.store, "URL", "the database, as sqlite:out.db; else the mapping's, else SOURCE.db")
  static let recorded = OptionSpec(.recorded, "DIR", "answers come from recorded files; no network, no secret needed")
  static let maxRejects = OptionSpec(
    .maxRejects, "N|N%", "so many rejected records, or share of all received, are fine")
  static let allowLoss = OptionSpec(.allowLoss, "lets a change of the tables lose data")
  static let denyWarnings = OptionSpec(.denyWarnings, "warnings count as errors")
  static let table = OptionSpec(.table, "NAME", "only the rows of this table; csv of several tables needs it")
  static let mapFormat = OptionSpec(
    .format, oneOf: ["ndjson", "csv", "table", "sql", "none"], "how rows are printed (ndjson)")
  static let findingsFormat = OptionSpec(
    .format, oneOf: ValidateInvocation.Format.allCases.map(\.rawValue), "how findings are printed (text)")
  static let partial = OptionSpec(.partial, "the files are not all there is: nothing is swept or replaced")
  static let drift = OptionSpec(
    .drift,
    "says which members of the answers are new, gone or of another type since the runs before; exits with 3 then")
  static let wait = OptionSpec(.wait, "waits while another run holds the source")

  static let routing = [
    OptionSpec(.endpoint, "NAME", "the endpoint that answered; not needed with one endpoint"),
    OptionSpec(.path, "PATH", "routes the bodies as answers to this path under base_url"),
    OptionSpec(.method, "METHOD", "the request's method, with --path (GET)"),
    OptionSpec(.status, "CODE", "the answer's status (200)"),
  ]

  static let fetching = [
    OptionSpec(.full, "ignores cursors, caches, validators and cut walks"),
    OptionSpec(.dryRun, "creates no table and stores no row"),
    OptionSpec(.maxPages, "N", "at most so many pages of a walk, which is then partial"),
    OptionSpec(.deadline, "TIME", "ends the run then, as a failure would; resumable, as 30m"),
    wait,
    drift,
  ]

  static let logging = [
    OptionSpec(.quiet, "only warnings and errors"),
    OptionSpec(.verbose, "says more"),
    OptionSpec(.logFormat, oneOf: ["text", "json"], "how messages on stderr are written (text)"),
    OptionSpec(.help, "this text"),
  ]

  static let files = PositionalSpec(
    "FILE", "a body, NDJSON, either as .gz or .zst, a folder of them, or - (stdin)", isRepeated: true)
}
