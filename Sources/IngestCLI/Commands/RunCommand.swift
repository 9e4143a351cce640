import Fetch
import Ingest
import Pipeline
import PlanCompiler
import Records
import Store

/// `ingest run`, and bare `ingest --config FILE`: fetch, map, store; several mappings one after the other.
struct RunCommand: CommandBody {
  let invocation: RunInvocation

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
    for preparation in preparations {
      do {
        try check(preparation)
      } catch {
        return console.report(error)
      }
    }
    var codes: [ExitCode] = []
    var summaries: [RunSummary] = []
    Interruption.watch()
    for preparation in preparations where !Interruption.isAsked {
      codes.append(run(preparation, on: console, summaries: &summaries))
    }
    if Interruption.isAsked, codes.count < preparations.count {
      codes.append(console.report(PipelineError.interrupted))
    }
    codes.append(ExitCode.after(summaries, allowing: invocation.maxRejects))
    return ExitCode.worst(codes)
  }

  /// What is wrong with the command itself, said before any of the mappings is run.
  private func check(_ preparation: Preparation) throws {
    let loaded = preparation.loaded
    try Walker.check(
      mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, endpoints: invocation.endpoint.map { [$0] })
    _ = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
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

  private func run(_ preparation: Preparation, on console: Console, summaries: inout [RunSummary]) -> ExitCode {
    do {
      let loaded = preparation.loaded
      let names = invocation.endpoint.map { [$0] }
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let transport = try transport(secrets: preparation.secrets, store: url)
      let store = try StoreAddress.open(url)
      let session = try RunSession(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, store: store, secrets: preparation.secrets,
        command: "run", allowingLoss: invocation.allowsLoss, isInterrupted: { Interruption.isAsked },
        report: console.report)
      var failure: PipelineError?
      do throws(PipelineError) {
        try Walker(
          session: session, transport: transport, clock: SystemClock(isInterrupted: { Interruption.isAsked }),
          asksServers: invocation.recorded == nil
        )
        .walk(endpoints: names)
      } catch {
        failure = error
      }
      try session.end(failure)
      try store.close()
      ReportPrinter(isStored: true).print(session.summary, on: console)
      summaries.append(session.summary)
      return failure.map { console.report($0) } ?? .done
    } catch {
      return console.report(error)
    }
  }

  private func transport(secrets: [String], store: String) throws -> any Transport {
    if let folder = invocation.recorded {
      return try RecordedTransport(directory: folder, redactor: Redactor(secrets: secrets))
    }
    return try LiveTransport(
      LiveSettings(userAgent: "ingest/\(IngestVersion.number)", isInterrupted: { Interruption.isAsked }))
  }
}
