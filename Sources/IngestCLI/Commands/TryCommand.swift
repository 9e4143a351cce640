import Fetch
import Setup
import Pipeline
import PlanCompiler
import Records
import Store

/// `ingest try ENDPOINT`: one request, and what the mapping makes of the answer. Nothing is stored.
struct TryCommand: CommandBody {
  let invocation: TryInvocation

  func run(on console: Console) -> ExitCode {
    do throws(Preparation.Failure) {
      let preparation = try Preparation(
        mapping: invocation.mapping, options: invocation.interpolation,
        needsNoSecrets: invocation.recorded != nil, trying: invocation.endpoint, on: console)
      return attempt(preparation, on: console)
    } catch {
      return error.code
    }
  }

  private func attempt(_ preparation: Preparation, on console: Console) -> ExitCode {
    let loaded = preparation.loaded
    Interruption.watch()
    do {
      _ = try EndpointTrial.index(of: invocation.endpoint, in: loaded.plan)
      let url = try StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope)
      let source = try AnswerSource(preparation, recorded: invocation.recorded, on: console)
      if source.hasErrors { return .usage }
      let stored = RowPrinter(
        output: console.output, lookingInto: try StoreAddress.openExisting(url))
      stored.watch { Interruption.isAsked }
      let kept = KeptToken(url: url, loaded: loaded, command: "try")
      _ = try stored.beginRun(kept.entry)
      let trial = EndpointTrial(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, redactor: preparation.redactor,
        transport: try source.transport(isInterrupted: { Interruption.isAsked }),
        clock: SystemClock(isInterrupted: { Interruption.isAsked }), asksServers: invocation.recorded == nil,
        isInterrupted: { Interruption.isAsked })
      let report = try trial.run(invocation.endpoint, stored: stored) { changes throws(StoreError) in
        try kept.keep(changes)
      }
      TrialPrinter(report: report).print(on: console)
      return report.failure.map { console.report($0) } ?? ExitCode.after([report.summary], allowing: nil)
    } catch {
      return console.report(error)
    }
  }
}
