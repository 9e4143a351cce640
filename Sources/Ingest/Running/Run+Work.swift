import Diagnostics
import Fetch
import Pipeline
import PlanCompiler
import Setup

extension Run {
  // MARK: Fetching

  func fetch(_ endpoints: [String]?, isCancelled: @escaping @Sendable () -> Bool) throws(IngestError) -> RunReport {
    if let maxPages, maxPages < 1 { throw IngestError(.invalidArgument, "'maxPages' is \(maxPages): it is 1 at least") }
    let run = prepared
    let isStopped = stop(isCancelled)
    let way: (transport: any Fetch.Transport, supply: FetchSupply?, warnings: [Message])
    do throws(PipelineError) {
      let loaded = run.mapping.loaded
      try Walker.check(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, endpoints: endpoints, asksServers: asksServers)
      way = try run.way(isStopped)
    } catch {
      throw IngestError(error)
    }
    for warning in way.warnings { onMessage?(warning) }
    var work = run.work("run", isStopped)
    work.warnings = way.warnings.filter { $0.level != .info }.map(\.text)
    return try work.perform(into: try store.open()) { session throws(PipelineError) in
      let walker = try Walker(
        session: session, transport: way.transport, clock: SystemClock(isInterrupted: isStopped),
        asksServers: asksServers, supply: way.supply, options: WalkOptions(isFull: isFull, maxPages: maxPages))
      try walker.walk(endpoints: endpoints)
    }
  }

  private var asksServers: Bool { if case .recorded = answers { false } else { true } }

  /// Of recorded answers, what stands in the place of secrets in the files does so in requests too.
  private var prepared: Run {
    guard case .recorded = answers else { return self }
    return replacing(mapping: mapping.withPlaceholders)
  }

  /// Who answers, and what is to be said of it.
  private func way(
    _ isStopped: @escaping @Sendable () -> Bool
  ) throws(PipelineError) -> (transport: any Fetch.Transport, supply: FetchSupply?, warnings: [Message]) {
    if case .transport(let transport) = answers {
      let supply = FetchSupply { isStopped throws(FetchError) in TransportBridge(transport, isStopped) }
      return (TransportBridge(transport, isStopped), supply, [])
    }
    let folder: String? = if case .recorded(let folder) = answers { folder } else { nil }
    let source = try AnswerSource(mapping.loaded, redactor: mapping.redactor, recorded: folder)
    if let error = source.findings.first(where: { $0.severity == .error }) {
      throw PipelineError(.refused, error.message)
    }
    let said = source.findings.map { Message(.warning, $0.message) } + source.notes.map { Message(.info, $0) }
    do throws(FetchError) {
      return (try source.transport(isInterrupted: isStopped), source.supply(recording: nil), said)
    } catch {
      throw PipelineError(error.message)
    }
  }

  // MARK: Loading

  func load(
    _ bodies: [Body], _ route: Route?, _ status: Int, isPartial: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(IngestError) -> RunReport {
    for body in bodies { try body.check() }
    do throws(PipelineError) {
      try Loader.check(route.loading, in: mapping.loaded.plan)
    } catch {
      throw IngestError(error)
    }
    let work = work("load", stop(isCancelled))
    return try work.perform(into: try store.open()) { session throws(PipelineError) in
      let loader = try Loader(session: session, route: route.loading, status: status)
      try loader.load(bodies.map(\.input), isPartial: isPartial)
    }
  }

  // MARK: Both

  private func work(_ command: String, _ isStopped: @escaping @Sendable () -> Bool) -> RunWork {
    var progress = RunProgress()
    if let onProgress { progress = RunProgress { snapshot in onProgress(Progress(snapshot)) } }
    return RunWork(
      mapping: mapping, command: command, allowsLoss: allowsDataLoss, waits: waitsForOtherRuns, progress: progress,
      isCancelled: isStopped, onMessage: onMessage)
  }

  private func stop(_ isCancelled: @escaping @Sendable () -> Bool) -> @Sendable () -> Bool {
    { [cancellation] in isCancelled() || cancellation?.isCancelled ?? false }
  }

  /// Runs work that blocks apart from the threads of tasks, of which there are few.
  static func onOwnThread(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(IngestError) -> RunReport
  ) async throws(IngestError) -> RunReport {
    let token = CancellationToken()
    let result: Result<RunReport, IngestError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let thread = WorkerThread {
          continuation.resume(
            returning: Result { () throws(IngestError) in try work { token.isCancelled } })
        }
        if let thread { return thread.detach() }
        continuation.resume(returning: .failure(IngestError(.failed, "the system has no thread left for the run")))
      }
    } onCancel: {
      token.cancel()
    }
    return try result.get()
  }
}

extension Mapping {
  /// A secret that has no value is a mark.
  fileprivate var withPlaceholders: Mapping {
    var secrets = secrets
    secrets.placeholder = Redactor.mark
    return Mapping(self, secrets: secrets)
  }
}
