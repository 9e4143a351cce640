import Fetch
import Ingest
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
      let parents = RowPrinter(
        output: console.output, isSilent: true, lookingInto: try StoreAddress.openExisting(url),
        of: loaded.plan.source)
      let trial = EndpointTrial(
        mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, redactor: preparation.redactor,
        transport: try transport(preparation, on: console),
        clock: SystemClock(isInterrupted: { Interruption.isAsked }), asksServers: invocation.recorded == nil,
        isInterrupted: { Interruption.isAsked })
      let report = try trial.run(invocation.endpoint, parents: parents)
      TrialPrinter(report: report).print(on: console)
      return report.failure.map { console.report($0) } ?? ExitCode.after([report.summary], allowing: nil)
    } catch {
      return console.report(error)
    }
  }

  private func transport(_ preparation: Preparation, on console: Console) throws -> any Transport {
    let loaded = preparation.loaded
    var connection: SourceConnection?
    if invocation.recorded == nil {
      let found = try SourceConnection(mapping: loaded.mapping, scope: loaded.scope, redactor: preparation.redactor)
      console.log(found.findings)
      for note in found.notes { console.info(note) }
      connection = found
    }
    return try AnswerSource(
      recorded: invocation.recorded, connection: connection, redactor: preparation.redactor,
      isInterrupted: { Interruption.isAsked }
    ).transport()
  }
}
