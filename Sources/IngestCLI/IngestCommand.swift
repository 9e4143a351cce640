import Glibc

/// The command line program: arguments in, exit status out.
package enum IngestCommand {
  /// - Parameter arguments: with the program's name in front.
  package static func main(_ arguments: [String]) -> Int32 {
    Descriptor.prepareStandardStreams()
    // A file that reaches the limit of `ulimit -f` is a write that fails, which can be told, and no sudden end.
    _ = signal(SIGXFSZ, SIG_IGN)
    keepMemoryOffDisk()
    let arguments = Array(arguments.dropFirst())
    do {
      let invocation = try ArgumentParser.parse(arguments)
      let console = Console(invocation.logging)
      if case .run(let run) = invocation, run.recorded == nil { tellOfRoot(on: console) }
      return console.finish(run(invocation, on: console))
    } catch {
      let console = Console(LoggingOptions(format: ArgumentParser.logFormat(of: arguments)))
      report(error, on: console)
      return console.finish(.usage)
    }
  }

  /// A crash must not leave a file of the memory behind, in which all secrets stand.
  private static func keepMemoryOffDisk() {
    let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    var limit = rlimit()
    guard getrlimit(core, &limit) == 0 else { return }
    limit.rlim_cur = 0
    setrlimit(core, &limit)
  }

  /// What fetches from servers reads what others wrote: whoever takes it over then owns the machine.
  ///
  /// It is no warning: in containers it is the rule, and nothing is wrong with the run.
  private static func tellOfRoot(on console: Console) {
    guard geteuid() == 0, getenv("INGEST_AS_ROOT").map({ $0.pointee == 0 }) ?? true else { return }
    console.info(
      "ingest runs as root, and needs none of its rights: run it as a user of its own, or set INGEST_AS_ROOT=1")
  }

  private static func run(_ invocation: Invocation, on console: Console) -> ExitCode {
    switch invocation {
    case .help(let subject): return HelpCommand(subject: subject).run(on: console)
    case .manual: return HelpCommand(subject: nil, isManual: true).run(on: console)
    case .version(let withLibraries): return VersionCommand(withLibraries: withLibraries).run(on: console)
    case .run(let invocation): return RunCommand(invocation: invocation).run(on: console)
    case .load(let invocation): return LoadCommand(invocation: invocation).run(on: console)
    case .map(let invocation): return MapCommand(invocation: invocation).run(on: console)
    case .validate(let invocation): return ValidateCommand(invocation: invocation).run(on: console)
    case .test(let invocation): return TestCommand(invocation: invocation).run(on: console)
    case .try(let invocation): return TryCommand(invocation: invocation).run(on: console)
    case .replay(let invocation): return ReplayCommand(invocation: invocation).run(on: console)
    case .explain(let invocation): return ExplainCommand(invocation: invocation).run(on: console)
    case .completions(let invocation): return CompletionsCommand(invocation: invocation).run(on: console)
    case .plan(let invocation): return PlanCommand(invocation: invocation).run(on: console)
    case .explainValue(let invocation): return ExplainValueCommand(invocation: invocation).run(on: console)
    case .prune(let invocation): return PruneCommand(invocation: invocation).run(on: console)
    case .schema(let invocation): return SchemaCommand(invocation: invocation).run(on: console)
    case .status(let invocation): return StatusCommand(invocation: invocation).run(on: console)
    case .route(let invocation): return RouteCommand(invocation: invocation).run(on: console)
    case .import(let invocation): return ImportCommand(invocation: invocation).run(on: console)
    case .infer(let invocation): return InferCommand(invocation: invocation).run(on: console)
    }
  }

  /// Says what is wrong and where to read more; with nothing on the line, how a line looks.
  private static func report(_ error: UsageError, on console: Console) {
    let help = error.command.map { "see 'ingest help \($0.rawValue)'" } ?? "see 'ingest help'"
    console.log(LogMessage(.error, error.message, hint: error.hint ?? help, lines: error.lines))
  }
}
