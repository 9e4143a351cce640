import Diagnostics
import Fetch
import Setup
import Pipeline
import PlanCompiler
import Records
import Store

/// `ingest run`, and bare `ingest --config FILE`: fetch, map, store; several mappings one after the other.
struct RunCommand: CommandBody {
  let invocation: RunInvocation
  /// The deadline is counted from here.
  private let begin = SystemClock().now()

  init(invocation: RunInvocation) { self.invocation = invocation }

  func run(on console: Console) -> ExitCode {
    var preparations: [Preparation] = []
    for mapping in invocation.mappings {
      do throws(Preparation.Failure) {
        preparations.append(
          try Preparation(
            mapping: mapping, options: invocation.interpolation, needsNoSecrets: invocation.recorded != nil, on: console
          ))
      } catch {
        return error.code
      }
    }
    if let table = sharedTable(preparations) {
      console.error("the table '\(table)' is filled by two of the mappings: run them into stores of their own")
      return .usage
    }
    var sources: [AnswerSource] = []
    for preparation in preparations {
      do {
        sources.append(try check(preparation, on: console))
      } catch {
        return console.report(error)
      }
    }
    if sources.contains(where: \.hasErrors) { return .usage }
    var codes: [ExitCode] = []
    var summaries: [RunSummary] = []
    Interruption.watch()
    for (preparation, source) in zip(preparations, sources) where !Interruption.isAsked {
      codes.append(run(preparation, source, on: console, summaries: &summaries))
    }
    if Interruption.isAsked, codes.count < preparations.count {
      codes.append(console.report(PipelineError.interrupted))
    }
    codes.append(ExitCode.after(summaries, allowing: invocation.maxRejects))
    return ExitCode.worst(codes)
  }

  /// What is wrong with the command itself, said before any of the mappings is run.
  private func check(_ preparation: Preparation, on console: Console) throws -> AnswerSource {
    let loaded = preparation.loaded
    try Walker.check(
      mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, endpoints: invocation.endpoint.map { [$0] },
      asksServers: invocation.recorded == nil)
    _ = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
    if let target = invocation.recording, let origin = invocation.recorded, FileText.isSame(target, origin) {
      throw PipelineError(.refused, "answers cannot be recorded into '\(target)' and come from there")
    }
    return try AnswerSource(preparation, recorded: invocation.recorded, on: console)
  }

  private func sharedTable(_ preparations: [Preparation]) -> String? {
    var seen: [String] = []
    for preparation in preparations {
      let names = preparation.loaded.plan.shapes.map { $0.name.lowercased() }
      if let shared = names.first(where: { seen.contains($0) }) { return shared }
      seen += names
    }
    return nil
  }

  private func run(
    _ preparation: Preparation, _ source: AnswerSource, on console: Console, summaries: inout [RunSummary]
  ) -> ExitCode {
    do {
      let loaded = preparation.loaded
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let transport = try source.transport(recording: invocation.recording, isInterrupted: isStopped)
      let store = try store(at: url, of: loaded, on: console)
      let progress = RunProgress()
      let session = try RunSession(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, store: store, redactor: preparation.redactor,
        command: invocation.recording == nil ? "run" : "record", allowingLoss: invocation.allowsLoss,
        waits: invocation.fetching.waits, isVerbose: console.isVerbose, progress: progress, isInterrupted: isStopped,
        report: console.report)
      if invocation.fetching.looksForDrift { session.watchDrift() }
      let watch = ProgressWatch.start(progress, on: console)
      let failure = walk(session, transport, source)
      watch.stop()
      let drift = try session.drift(after: failure)
      try session.end(failure)
      try store.close()
      if invocation.fetching.isDry, case .failed? = console.output.failure { return .failed }
      ReportPrinter(isStored: !invocation.fetching.isDry).print(session.summary, on: console)
      summaries.append(session.summary)
      let hasDrifted = DriftPrinter(console: console).print(drift)
      return failure.map { console.report($0) } ?? (hasDrifted ? .rejections : .done)
    } catch let error as StoreError where error.code == .interrupted {
      return console.report(stopped(.interrupted))
    } catch {
      return console.report(error)
    }
  }

  private func walk(
    _ session: RunSession, _ transport: any Transport, _ source: AnswerSource
  ) -> PipelineError? {
    let options = WalkOptions(isFull: invocation.fetching.isFull, maxPages: invocation.fetching.maxPages)
    do throws(PipelineError) {
      let walker = try Walker(
        session: session, transport: transport, clock: SystemClock(isInterrupted: isStopped),
        asksServers: invocation.recorded == nil, supply: source.supply(recording: invocation.recording),
        options: options)
      try walker.walk(endpoints: invocation.endpoint.map { [$0] })
      return nil
    } catch {
      guard error.kind == .interrupted else { return continued(error) }
      return stopped(error)
    }
  }

  /// Whoever reads of a failure wants to know what became of the pages before it.
  private func continued(_ error: PipelineError) -> PipelineError {
    guard error.isContinued, !invocation.fetching.isDry else { return error }
    var failure = error
    failure.message += "; the pages before are stored, and the next run continues there"
    return failure
  }

  /// Was it a signal, or the deadline?
  private func stopped(_ error: PipelineError) -> PipelineError {
    guard !Interruption.isAsked, let time = invocation.fetching.deadline else {
      return PipelineError(.interrupted, "\(error.message); the next run continues there")
    }
    return PipelineError(
      "the deadline of \(time.spoken) has passed\(error.place.map { " at \($0)" } ?? ""); what was committed stays, "
        + "and "
        + "the next run continues there")
  }

  private func store(at url: String, of loaded: LoadedMapping, on console: Console) throws -> any Store {
    guard invocation.fetching.isDry else { return try StoreAddress.open(url) }
    return RowPrinter(
      output: console.output, lookingInto: try StoreAddress.openExisting(url),
      keeping: KeptToken(url: url, loaded: loaded, command: "run --dry-run").keep)
  }

  /// A signal has come, or the deadline has passed.
  private var isStopped: @Sendable () -> Bool {
    guard let time = invocation.fetching.deadline else { return { Interruption.isAsked } }
    let end = begin + time
    return { Interruption.isAsked || SystemClock().now() >= end }
  }
}
