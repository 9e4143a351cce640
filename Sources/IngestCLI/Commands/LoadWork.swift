import Fetch
import Setup
import JSONReading
import Pipeline
import Store

/// What `load` and `map` share: bodies, routed and taken in by a store, be it one that prints.
struct LoadWork {
  let preparation: Preparation
  let files: [String]
  let routing: RoutingOptions
  let command: String
  let allowsLoss: Bool
  let maxRejects: MaxRejects?
  let isPartial: Bool
  let waits: Bool
  let looksForDrift: Bool

  /// Says what is wrong with the command itself; to be asked before a store is opened.
  func refusal(on console: Console) -> ExitCode? {
    do throws(PipelineError) {
      try Loader.check(route, in: preparation.loaded.plan)
      return nil
    } catch {
      return console.report(error)
    }
  }

  private var route: Loader.Route {
    routing.path.map { .path($0, method: routing.method ?? "GET") } ?? .endpoint(routing.endpoint)
  }

  /// `finish` comes when the run has ended, before the store is closed; not after an interruption.
  func run(
    into store: any Store, on console: Console, isStored: Bool, finish: () throws(StoreError) -> Void = {}
  ) -> ExitCode {
    Interruption.watch()
    do {
      let session = try RunSession(
        mapping: preparation.loaded.mapping, plan: preparation.loaded.plan, scope: preparation.loaded.scope,
        store: store, redactor: preparation.redactor, command: command, allowingLoss: allowsLoss, waits: waits,
        isVerbose: console.isVerbose,
        isInterrupted: { Interruption.isAsked }, report: console.report)
      return try load(in: session, store: store, on: console, isStored: isStored, finish: finish)
    } catch {
      return console.report(error)
    }
  }

  private func load(
    in session: RunSession, store: any Store, on console: Console, isStored: Bool,
    finish: () throws(StoreError) -> Void
  ) throws(StoreError) -> ExitCode {
    var failure: PipelineError?
    if looksForDrift { session.watchDrift() }
    do throws(PipelineError) {
      let loader = try Loader(session: session, route: route, status: routing.status)
      try loader.load(files.map { $0 == "-" ? .standardInput : .file($0) }, isPartial: isPartial)
    } catch {
      failure = error
    }
    // Nobody reads what `map` prints: that is no fault, and nothing is left to say.
    if console.output.failure == .closed { return .done }
    let drift = try session.drift(after: failure)
    try session.end(failure)
    if failure?.kind != .interrupted { try finish() }
    try store.close()
    // That standard output takes no more is said at the end of the command.
    if !isStored, case .failed? = console.output.failure { return .failed }
    ReportPrinter(isStored: isStored).print(session.summary, on: console)
    let hasDrifted = DriftPrinter(console: console).print(drift)
    if let failure { return console.report(failure) }
    return ExitCode.worst([ExitCode.after([session.summary], allowing: maxRejects), hasDrifted ? .rejections : .done])
  }
}

extension Console {
  /// Says what a pipeline says.
  func report(_ message: Message) {
    switch message.level {
    case .debug: debug(message.text)
    case .info: info(message.text)
    case .warning: warning(message.text)
    case .error: error(message.text)
    }
  }

  /// Says why a command ended early, and gives its exit code.
  func report(_ failure: any Error) -> ExitCode {
    switch failure {
    case let failure as PipelineError:
      if failure.kind == .interrupted {
        log(.interrupted(failure.message))
        return .interrupted
      }
      error(failure.message)
      return failure.kind == .refused ? .usage : .failed
    case let failure as StoreAddress.Failure:
      error(failure.message)
      return failure.isUsage ? .usage : .failed
    case let failure as StoreError:
      if failure.code == .interrupted { return report(PipelineError.interrupted) }
      error(failure.message)
      return failure.code == .refused ? .usage : .failed
    case let failure as FetchError:
      error(failure.message)
      return .failed
    default:
      error("\(failure)")
      return .failed
    }
  }
}
