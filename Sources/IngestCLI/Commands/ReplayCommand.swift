import Setup
import Pipeline
import PlanCompiler
import Store

/// `ingest replay`: maps the archive, or the kept rejects, again.
struct ReplayCommand: CommandBody {
  let invocation: ReplayInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation, needsNoSecrets: true, on: console)
      return replay(preparation, on: console)
    } catch {
      return error.code
    }
  }

  private func replay(_ preparation: Preparation, on console: Console) -> ExitCode {
    let loaded = preparation.loaded
    Interruption.watch()
    do {
      try Replayer.check(invocation.endpoint, in: loaded.plan)
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let store = try StoreAddress.openFilled(url)
      let session = try RunSession(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, store: store, redactor: preparation.redactor,
        command: "replay", allowingLoss: invocation.allowsLoss, waits: invocation.waits,
        isWhole: !invocation.takesRejects, isVerbose: console.isVerbose, isInterrupted: { Interruption.isAsked },
        report: console.report)
      let failure = try session.run { session throws(PipelineError) in try replay(in: session, store) }
      try store.close()
      ReportPrinter(isStored: true).print(session.summary, on: console)
      return failure.map { console.report($0) } ?? ExitCode.after([session.summary], allowing: invocation.maxRejects)
    } catch {
      return console.report(error)
    }
  }

  private func replay(in session: RunSession, _ store: any ReadableStore) throws(PipelineError) {
    if invocation.takesRejects {
      return try RejectReplayer(session: session, store: store, endpoint: invocation.endpoint).replay()
    }
    try Replayer(session: session, store: store, endpoint: invocation.endpoint).replay()
  }
}
