import IngestCLI
import Testing

struct ArgumentParserTests {
  struct Line: Sendable, CustomTestStringConvertible {
    let words: String
    let meaning: Invocation
    var testDescription: String { words }

    init(_ words: String, _ meaning: Invocation) { (self.words, self.meaning) = (words, meaning) }
  }

  static let quietJSON = LoggingOptions(format: .json, verbosity: .quiet)

  @Test(arguments: [
    Line("--version", .version(withLibraries: false)),
    Line("--version -v", .version(withLibraries: true)), Line("--help", .help(nil)), Line("-h", .help(nil)),
    Line("help", .help(nil)),
    Line("help load", .help(.load)), Line("load --help", .help(.load)), Line("map a.json -h --nonsense", .help(.map)),
    Line("help prune", .help(.prune)), Line("completions --help", .help(.completions)),
    Line("help help", .help(.help)),
    Line("--config m.yaml --help", .help(nil)),
    Line("--config m.yaml", .run(run { $0.mappings = ["m.yaml"] })),
    Line("--config=m.yaml", .run(run { $0.mappings = ["m.yaml"] })),
    Line("run a.yaml --config b.yaml c.yaml", .run(run { $0.mappings = ["a.yaml", "b.yaml", "c.yaml"] })),
    Line("run -- --odd.yaml", .run(run { $0.mappings = ["--odd.yaml"] })),
    Line(
      "run m.yaml --endpoint e --set a=1 --set b= --set c=x=y --secrets - --store sqlite:o.db --recorded d "
        + "--max-rejects 5% --allow-loss -q --log-format json",
      .run(
        run {
          $0.mappings = ["m.yaml"]
          $0.endpoint = "e"
          $0.interpolation.settings = [
            .init(name: "a", value: "1"), .init(name: "b", value: ""), .init(name: "c", value: "x=y"),
          ]
          $0.interpolation.secrets = "-"
          $0.store = "sqlite:o.db"
          $0.recorded = "d"
          $0.maxRejects = .share(thousandths: 5000)
          $0.allowsLoss = true
          $0.logging = quietJSON
        })),
    Line(
      "record d --config m.yaml --full",
      .run(
        run {
          $0.mappings = ["m.yaml"]
          $0.recording = "d"
          $0.fetching.isFull = true
        })),
    Line(
      "try items --config m.yaml --set id=7 --store sqlite:o.db",
      .try(
        {
          var trial = TryInvocation(endpoint: "items", mapping: "m.yaml")
          trial.interpolation.settings = [.init(name: "id", value: "7")]
          trial.store = "sqlite:o.db"
          return trial
        }())),
    Line(
      "replay --config m.yaml --rejects --endpoint e --max-rejects 1 --allow-loss",
      .replay(
        {
          var replay = ReplayInvocation(mapping: "m.yaml")
          (replay.takesRejects, replay.allowsLoss, replay.endpoint) = (true, true, "e")
          replay.maxRejects = .count(1)
          return replay
        }())),
    Line("load - --config m.yaml", .load(load { $0.files = ["-"] })),
    Line(
      "load a.json b.json --config m.yaml --path /users?x=1 --method post --status=404 --max-rejects 0 -v",
      .load(
        load {
          $0.files = ["a.json", "b.json"]
          $0.routing.path = "/users?x=1"
          $0.routing.method = "POST"
          $0.routing.status = 404
          $0.maxRejects = .count(0)
          $0.logging.verbosity = .verbose
        })),
    Line(
      "map a.json --config m.yaml --endpoint e --format none --table t",
      .map(
        map {
          $0.routing.endpoint = "e"
          $0.format = .none
          $0.table = "t"
        })),
    Line("map a.json --config m.yaml", .map(map { $0.format = .ndjson })),
    Line(
      "validate a.yaml - --format json --deny-warnings",
      .validate(
        validate {
          $0.files = ["a.yaml", "-"]
          $0.format = .json
          $0.deniesWarnings = true
        })),
    Line("route get /a/b --config m.yaml", .route(route)),
  ])
  func `a command line means what the table says`(_ line: Line) throws {
    #expect(try ArgumentParser.parse(line.words.split(separator: " ").map(String.init)) == line.meaning)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let words: String
    let message: String
    let hint: String?
    var testDescription: String { words }

    init(_ words: String, _ message: String, hint: String? = nil) {
      (self.words, self.message, self.hint) = (words, message, hint)
    }
  }

  @Test(arguments: [
    Mistake("", "a command is missing"),
    Mistake("lod a.json", "unknown command 'lod'", hint: "did you mean 'load'?"),
    Mistake("validat a.yaml", "unknown command 'validat'", hint: "did you mean 'validate'?"),
    Mistake("version", "unknown command 'version'", hint: "did you mean '--version'?"),
    Mistake("help lod", "unknown command 'lod'", hint: "did you mean 'load'?"),
    Mistake("quux", "unknown command 'quux'"),
    Mistake("-", "unknown command '-'"),
    Mistake("--version x", "unexpected argument 'x'"), Mistake("--version -v x", "unexpected argument 'x'"),
    Mistake("load a --confg m", "unknown option '--confg'", hint: "did you mean '--config'?"),
    Mistake("load a --confg=m", "unknown option '--confg'", hint: "did you mean '--config'?"),
    Mistake("load a --config m --endpiont e", "unknown option '--endpiont'", hint: "did you mean '--endpoint'?"),
    Mistake(
      "load a --config m --recorded d", "unknown option '--recorded'",
      hint: "recorded answers are run: write 'ingest --config FILE --recorded d'; 'load' takes bodies from files"),
    Mistake("base.yaml", "unknown command 'base.yaml'", hint: "to run a mapping, write 'ingest --config base.yaml'"),
    Mistake("A.YML -q", "unknown command 'A.YML'", hint: "to run a mapping, write 'ingest --config A.YML'"),
    Mistake("yaml", "unknown command 'yaml'"), Mistake(".yaml", "unknown command '.yaml'"),
    Mistake("validate --config m.yaml", "unknown option '--config'", hint: "write 'ingest validate m.yaml'"),
    Mistake("test --config=m.yaml", "unknown option '--config'", hint: "write 'ingest test m.yaml'"),
    Mistake("status m.yaml --config m", "unexpected argument 'm.yaml'", hint: "write 'ingest status --config m.yaml'"),
    Mistake("plan m.yaml", "unexpected argument 'm.yaml'", hint: "write 'ingest plan --config m.yaml'"),
    Mistake("status m.json", "unexpected argument 'm.json'"),
    Mistake("run m --table t", "unknown option '--table'", hint: "it is an option of 'map'"),
    Mistake("--hlep", "unknown option '--hlep'", hint: "did you mean '--help'?"),
    Mistake("--verison", "unknown option '--verison'", hint: "did you mean '--version'?"),
    Mistake("load a -x", "unknown option '-x'"),
    Mistake("load a --config", "--config needs a value: --config FILE"),
    Mistake(
      "load a --config --endpoint e", "--config needs a value: --config FILE",
      hint: "a value that starts with '-' is written --config=VALUE"),
    Mistake("load a --config=", "--config has an empty value"),
    Mistake("load a --config m --config n", "--config is given twice"),
    Mistake("load a", "load needs --config FILE"),
    Mistake("run", "run needs --config FILE"),
    Mistake("-q", "run needs --config FILE"),
    Mistake("load --config m", "load needs FILE"),
    Mistake("route GET --config m", "route needs URL"),
    Mistake("route GET /a /b --config m", "unexpected argument '/b'"),
    Mistake("route G=T /a --config m", "METHOD is a method as GET, not 'G=T'"),
    Mistake("help load map", "unexpected argument 'map'"),
    Mistake("load a --config m --allow-loss=yes", "--allow-loss takes no value"),
    Mistake("load a --config m --max-rejects many", "--max-rejects is a number or a percentage, not 'many'"),
    Mistake("load a --config m --max-rejects 101%", "--max-rejects is a number or a percentage, not '101%'"),
    Mistake("load a --config m --status 600", "--status is a number from 100 to 599, not '600'"),
    Mistake("load a --config m --status 2xx", "--status is a number from 100 to 599, not '2xx'"),
    Mistake("load a --config m --status +20", "--status is a number from 100 to 599, not '+20'"),
    Mistake("load a --config m --method GET", "--method needs --path"),
    Mistake("load a --config m --endpoint e --path /p", "--endpoint and --path cannot both say how to route"),
    Mistake("load a --config m --set x", "--set takes NAME=VALUE, not 'x'"),
    Mistake("load a --config m --set =x", "--set takes NAME=VALUE, not '=x'"),
    Mistake("load a --config m --set x=1 --set x=1", "--set gives 'x' two values"),
    Mistake("load - --config m --secrets -", "- (standard input) is given twice"),
    Mistake("load a --config m -q -v", "-q and -v contradict each other"),
    Mistake("map a --config m --format xlsx", "--format is ndjson or csv or table or sql or none, not 'xlsx'"),
    Mistake("schema", "schema needs --config FILE"),
    Mistake("explain unknown-key 7", "unexpected argument '7'"),
    Mistake("help load --man", "the manual page is about all commands, not 'load'"),
    Mistake("run m --deadline 30", "--deadline is a time such as 30m, not '30'"),
    Mistake("run m --max-pages 0", "--max-pages is a number from 1 on, not '0'"),
    Mistake(
      "map a --config m --drift", "unknown option '--drift'", hint: "it is an option of 'run', 'load', 'record'"),
    Mistake("record --config m", "record needs DIR"), Mistake("record d", "record needs --config FILE"),
    Mistake("record d e --config m", "unexpected argument 'e'"), Mistake("try --config m", "try needs ENDPOINT"),
    Mistake("replay", "replay needs --config FILE"), Mistake("replay x --config m", "unexpected argument 'x'"),
    Mistake("completions tcsh", "unknown shell 'tcsh'"),
  ])
  func `a command line that cannot be obeyed says why`(_ line: Mistake) {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser.parse(line.words.split(separator: " ").map(String.init))
    }
    #expect(error?.message == line.message)
    #expect(error?.hint == line.hint)
  }

  @Test func `every example is a line that its command takes`() throws {
    for command in CommandTable.commands {
      let words = command.example.split(separator: " ").map(String.init)
      #expect(words.prefix(2) == ["ingest", command.name.rawValue])
      _ = try ArgumentParser.parse(Array(words.dropFirst()))
    }
  }

  @Test func `names of the table occur once, and only a last argument may repeat`() {
    #expect(Set(CommandTable.commands.map(\.name)).count == CommandTable.commands.count)
    #expect(CommandTable.commands.count == CommandName.allCases.count)
    for command in CommandTable.commands {
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      #expect(!command.positionals.dropLast().contains { $0.isRepeated })
    }
  }

  @Test(arguments: [
    ("load --log-format json --nonsense", LoggingOptions.Format.json), ("--log-format=json", .json),
    ("load --nonsense", .text), ("load -- --log-format json", .text), ("load --log-format", .text),
  ])
  func `the log format is known even of a wrong line`(_ words: String, _ format: LoggingOptions.Format) {
    #expect(ArgumentParser.logFormat(of: words.split(separator: " ").map(String.init)) == format)
  }
}

private func run(_ change: (inout RunInvocation) -> Void) -> RunInvocation {
  var invocation = RunInvocation(mappings: [])
  change(&invocation)
  return invocation
}

private func load(_ change: (inout LoadInvocation) -> Void) -> LoadInvocation {
  var invocation = LoadInvocation(files: [], mapping: "m.yaml")
  change(&invocation)
  return invocation
}

private func map(_ change: (inout MapInvocation) -> Void) -> MapInvocation {
  var invocation = MapInvocation(files: ["a.json"], mapping: "m.yaml")
  change(&invocation)
  return invocation
}

private func validate(_ change: (inout ValidateInvocation) -> Void) -> ValidateInvocation {
  var invocation = ValidateInvocation(files: [])
  change(&invocation)
  return invocation
}

private let route = RouteInvocation(method: "GET", url: "/a/b", mapping: "m.yaml")
