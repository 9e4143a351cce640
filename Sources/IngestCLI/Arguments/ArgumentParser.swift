/// Reads a command line by `CommandTable`; touches no file.
package enum ArgumentParser {
  /// - Parameter arguments: without the program's name.
  /// - Throws: `UsageError` for the first thing that cannot be obeyed, except that a `--help` before it wins.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let first = arguments.first else {
      throw UsageError.nothing
    }
    switch first {
    case "--version":
      let isVerbose = arguments.count > 1 && [OptionName.verbose.rawValue, "--verbose"].contains(arguments[1])
      if arguments.count > (isVerbose ? 2 : 1) {
        throw UsageError("unexpected argument '\(arguments[isVerbose ? 2 : 1])'")
      }
      return .version(withLibraries: isVerbose)
    case "--help", "-h":
      return .help(nil)
    case _ where first.utf8.first == UInt8(ascii: "-") && first.utf8.count > 1:
      return try invocation(of: .run, arguments[...], bare: true)
    default:
      return try invocation(of: command(first), arguments.dropFirst())
    }
  }

  /// The log format that a command line asks for, also when the rest of it is wrong.
  package static func logFormat(of arguments: [String]) -> LoggingOptions.Format {
    let options = arguments.prefix { $0 != "--" }
    let asked =
      options.contains("--log-format=json")
      || zip(options, options.dropFirst()).contains { $0 == ("--log-format", "json") }
    return asked ? .json : .text
  }

  private static func command(_ name: String) throws(UsageError) -> CommandName {
    guard let command = CommandName(rawValue: name) else {
      if let hint = MisplacedWord.hint(inPlaceOfCommand: name) {
        throw UsageError("unknown command '\(name)'", hint: hint)
      }
      throw UsageError.unknown(
        "command", name, among: CommandTable.commands.map(\.name.rawValue) + ["--version", "--help"])
    }
    return command
  }

  private static func invocation(
    of name: CommandName, _ arguments: ArraySlice<String>, bare: Bool = false
  ) throws(UsageError) -> Invocation {
    let parsed = try ParsedArguments(arguments, of: CommandTable.command(name), bare: bare)
    if parsed.asksForHelp { return .help(bare ? nil : name) }
    switch name {
    case .run, .record: return .run(try RunInvocation(parsed))
    case .load: return .load(try LoadInvocation(parsed))
    case .map: return .map(try MapInvocation(parsed))
    case .validate: return .validate(try ValidateInvocation(parsed))
    case .test: return .test(try TestInvocation(parsed))
    case .route: return .route(try RouteInvocation(parsed))
    case .try: return .try(try TryInvocation(parsed))
    case .replay: return .replay(try ReplayInvocation(parsed))
    case .plan: return .plan(try PlanInvocation(parsed))
    case .explain: return try explain(parsed)
    case .prune: return .prune(try PruneInvocation(parsed))
    case .schema: return .schema(try SchemaInvocation(parsed))
    case .status: return .status(try StatusInvocation(parsed))
    case .completions: return .completions(try CompletionsInvocation(parsed))
    case .import: return .import(try ImportInvocation(parsed))
    case .infer: return .infer(try InferInvocation(parsed))
    case .help: return try help(parsed)
    }
  }

  /// A word with a dot is `TABLE.COLUMN`: no code has one.
  private static func explain(_ parsed: ParsedArguments) throws(UsageError) -> Invocation {
    guard parsed.positionals[0].utf8.contains(UInt8(ascii: ".")) else {
      return .explain(try ExplainInvocation(parsed))
    }
    return .explainValue(try ExplainValueInvocation(parsed))
  }

  private static func help(_ parsed: ParsedArguments) throws(UsageError) -> Invocation {
    guard parsed.has(.man) else {
      return .help(try parsed.positionals.first.map { name throws(UsageError) in try command(name) })
    }
    if let name = parsed.positionals.first {
      throw UsageError("the manual page is about all commands, not '\(name)'", command: .help)
    }
    return .manual
  }
}
