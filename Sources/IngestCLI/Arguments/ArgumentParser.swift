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
      if arguments.count > 1 { throw UsageError("unexpected argument '\(arguments[1])'") }
      return .version
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
      throw UsageError.unknown(
        "command", name, among: CommandTable.commands.map(\.name.rawValue) + ["--version", "--help"])
    }
    return command
  }

  private static func invocation(
    of name: CommandName, _ arguments: ArraySlice<String>, bare: Bool = false
  ) throws(UsageError) -> Invocation {
    let command = CommandTable.command(name)
    guard command.isAvailable else {
      if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) { return .help(name) }
      throw UsageError("the command '\(name.rawValue)' is not available yet")
    }
    let parsed = try ParsedArguments(arguments, of: command, bare: bare)
    if parsed.asksForHelp { return .help(bare ? nil : name) }
    switch name {
    case .run, .record: return .run(try RunInvocation(parsed))
    case .load: return .load(try LoadInvocation(parsed))
    case .map: return .map(try MapInvocation(parsed))
    case .validate: return .validate(try ValidateInvocation(parsed))
    case .route: return .route(try RouteInvocation(parsed))
    case .try: return .try(try TryInvocation(parsed))
    case .replay: return .replay(try ReplayInvocation(parsed))
    case .plan: return .plan(try PlanInvocation(parsed))
    case .import: return .import(try ImportInvocation(parsed))
    case .infer: return .infer(try InferInvocation(parsed))
    case .help: return .help(try parsed.positionals.first.map { name throws(UsageError) in try self.command(name) })
    case .test, .schema, .explain, .status, .prune, .completions:
      preconditionFailure("a command that is available is read")
    }
  }
}
