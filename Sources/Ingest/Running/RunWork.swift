import Fetch
import Pipeline
import Setup
import Store

/// What every run has, whether it fetches, loads or only maps: a session that is ended, whatever happens in it.
struct RunWork {
  let mapping: Mapping
  /// As `_ingest_runs` names it.
  let command: String
  var allowsLoss = false
  var waits = false
  var progress = RunProgress()
  let isCancelled: @Sendable () -> Bool
  var onMessage: (@Sendable (Run.Message) -> Void)?
  /// What was to be warned of before the run.
  var warnings: [String] = []

  /// Opens a run, does its work, and closes it.
  func perform(
    into store: any RunStore, _ body: (RunSession) throws(PipelineError) -> Void
  ) throws(IngestError) -> RunReport {
    let said = Said(warnings)
    let session: RunSession
    do throws(StoreError) {
      session = try RunSession(
        mapping: mapping.loaded.mapping, plan: mapping.loaded.plan, scope: mapping.loaded.scope, store: store,
        redactor: mapping.redactor, command: command, allowingLoss: allowsLoss, waits: waits, progress: progress,
        isInterrupted: isCancelled
      ) { message in
        said.add(message)
        onMessage?(Run.Message(message))
      }
    } catch {
      throw IngestError(error)
    }
    let failure: PipelineError?
    do throws(StoreError) {
      failure = try session.run(body)
      try store.close()
    } catch {
      throw IngestError(error, report: RunReport(session.summary, warnings: said.warnings))
    }
    let report = RunReport(session.summary, warnings: said.warnings)
    if let failure { throw IngestError(failure, report: report) }
    return report
  }

  /// Warnings of the run; on its thread only.
  private final class Said {
    private(set) var warnings: [String]

    init(_ warnings: [String]) { self.warnings = warnings }

    func add(_ message: Message) {
      if message.level != .info { warnings.append(message.text) }
    }
  }
}
