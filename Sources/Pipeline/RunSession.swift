import Diagnostics
package import Fetch
import JSONReading
import Mapper
package import MappingLanguage
package import PlanCompiler
package import Store
import Values

/// The store of a run, under a name for modules that have a `Store` of their own.
package typealias RunStore = Store

/// One run of one mapping on one store: what `load`, `map` and `run` share.
package final class RunSession {
  let context: RunContext
  let store: any Store
  let report: (Message) -> Void
  private let isVerbose: Bool
  package let intake: BodyIntake
  private var warned = 0
  /// What was said of an endpoint's paging: once, however many walks it has.
  var hints: Set<String> = []
  /// Only while tests of a mapping run.
  var coverage: TestCoverage? { didSet { intake.mapper.coverage = coverage?.reached } }

  /// It takes effect as a whole, or not at all.
  private let isWhole: Bool

  /// Takes the source, prepares the tables and opens the run. `waits`: while another run holds the source; else that is
  /// an error. `isWhole`: the run is one transaction, whatever the mapping says.
  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation, store: any Store, redactor: Redactor, command: String,
    allowingLoss: Bool, waits: Bool = false, isWhole: Bool = false, isVerbose: Bool = false,
    progress: RunProgress = RunProgress(), isInterrupted: @escaping @Sendable () -> Bool = { false },
    report: @escaping (Message) -> Void
  ) throws(StoreError) {
    self.store = store
    self.isVerbose = isVerbose
    self.report = { report(Message($0.level, redactor.redact($0.text))) }
    let waiting = waits ? Self.waiting(for: plan.source, report: report, isInterrupted: isInterrupted) : nil
    store.watch(isInterrupted)
    do throws(StoreError) {
      try store.hold(plan.source, waiting: waiting)
      try store.prepare(StoreSchema(plan), allowingLoss: allowingLoss)
      try store.hold(plan.source, waiting: waiting)
    } catch {
      // Why there is no run is the news; whoever comes next must not find the source held.
      try? store.close()
      throw error
    }
    var entry = RunEntry(
      source: plan.source, command: command, mapping: mapping.files.first?.name ?? plan.source)
    self.isWhole = isWhole || mapping.store?.commitsRun ?? false
    entry.isWhole = self.isWhole
    entry.redacted = { RejectRedaction(redactor).redacted($0) }
    context = RunContext(
      mapping: mapping, plan: plan, scope: scope, redactor: redactor, runID: try store.beginRun(entry),
      isInterrupted: isInterrupted, progress: progress)
    intake = BodyIntake(
      plan: plan, store: store, limits: mapping.source.limits.json, isInterrupted: isInterrupted)
  }

  /// Sleeps before the store asks again whether another run still holds the source.
  static func waiting(
    for source: String, report: @escaping (Message) -> Void, isInterrupted: @escaping @Sendable () -> Bool
  ) -> () throws(StoreError) -> Void {
    var hasSaid = false
    return { () throws(StoreError) in
      if !hasSaid { report(Message(.info, "another run holds the source '\(source)': waiting for its end (--wait)")) }
      hasSaid = true
      do throws(FetchError) {
        try SystemClock(isInterrupted: isInterrupted).sleep(.milliseconds(200))
      } catch {
        throw StoreError(.interrupted, PipelineError.interrupted.message)
      }
    }
  }

  package var summary: RunSummary { intake.summary }
  package var mapping: Mapping { context.mapping }
  package var plan: Plan { context.plan }
  package var scope: Interpolation { context.scope }
  var redactor: Redactor { context.redactor }
  var runID: Int64 { context.runID }
  var isInterrupted: @Sendable () -> Bool { context.isInterrupted }

  /// What is remembered when the run ends, in one transaction with its row.
  var closing: [StateChange] = []

  /// Closes the run's row; `failure` is what ended it early.
  package func end(_ failure: PipelineError?) throws(StoreError) {
    sayWarnings()
    if failure != nil, isWhole {
      let hadRows = summary.records.contains { $0.received > 0 }
      intake.takeBack(to: RunSummary(source: plan.source))
      let why = mapping.store?.commitsRun ?? false ? " (commit: run)" : ""
      if hadRows {
        report(
          Message(
            .warning,
            "the run failed, and takes effect as a whole or not at all\(why): the tables are as they were before it"))
      }
    }
    for nulled in summary.nulled { report(Message(.warning, nulled.text)) }
    do throws(StoreError) {
      try store.endRun(
        status: status(failure), message: failure.map { redactor.redact($0.message) }, keeping: closing)
    } catch {
      // Nobody who is asked to stop waits for another process; the next run finds that this one is gone.
      guard failure?.kind == .interrupted, error.code == .busy else { throw error }
      report(Message(.warning, "the end of the run could not be noted: \(error.message)"))
    }
  }

  /// Does the work of the run and closes it; gives why it ended early.
  package func run(_ work: (RunSession) throws(PipelineError) -> Void) throws(StoreError) -> PipelineError? {
    var failure: PipelineError?
    do throws(PipelineError) { try work(self) } catch { failure = error }
    try end(failure)
    return failure
  }

  private func status(_ failure: PipelineError?) -> String {
    switch failure?.kind {
    case .interrupted: "interrupted"
    case .failed, .refused: "failed"
    case nil: summary.rejected > 0 ? "rejects" : "done"
    }
  }

  /// Throws when a signal has asked to stop.
  func checkInterruption() throws(PipelineError) {
    if isInterrupted() { throw .interrupted }
  }

  /// Says what only those who ask for it (`-v`) want to know; else not even the text is made.
  func detail(_ text: () -> String) {
    if isVerbose { report(Message(.debug, text())) }
  }

  /// Findings about the data, each once.
  func sayWarnings() {
    for warning in intake.warnings.dropFirst(warned) { report(Message(.warning, warning)) }
    warned = intake.warnings.count
  }

  /// What an API said of a request may repeat the secrets in it.
  func redacted(_ error: PipelineError) -> PipelineError {
    var shown = error
    shown.message = redactor.redact(error.message)
    return shown
  }

  /// Keeps or says what fetching has to tell.
  func keep(_ note: FetchNote) throws(PipelineError) {
    switch note {
    case .error(let entry): try record(entry)
    case .rule(let rule): coverage?.note(rule: rule)
    case .message(let message): report(message)
    case .state(let name, let value):
      do {
        try store.keepAtOnce([.set(scope: "", name: name, value: value)])
      } catch {
        throw PipelineError("the new refresh token could not be kept: \(error.message)")
      }
    case .recall(let question):
      do throws(StoreError) {
        try question.answer(from: store, source: plan.source)
      } catch {
        throw PipelineError("what the source remembers cannot be read: \(error.message)")
      }
    }
  }

  /// Keeps an error in `_ingest_errors`, redacted.
  func record(_ error: ErrorEntry) throws(PipelineError) {
    var entry = error
    entry.message = error.message.map(redactor.redact)
    entry.code = error.code.map(redactor.redact)
    entry.excerpt = error.excerpt.map(redactor.redact)
    entry.url = error.url.map(redactor.redact)
    do {
      try store.record(entry)
    } catch {
      throw PipelineError(error, "the error could not be kept: \(error.message)")
    }
  }
}

extension StoreSchema {
  /// The tables that a plan fills.
  package init(_ plan: Plan) {
    let filled = plan.endpoints.map { (name: $0.name, tables: plan.tables(filledBy: $0)) }
    self.init(
      tables: plan.tables.enumerated().map { index, table in
        Table(
          shape: table.shape, record: table.record.map { plan.recordNames[$0] },
          endpoints: filled.filter { $0.tables.contains(index) }.map(\.name))
      })
  }
}
