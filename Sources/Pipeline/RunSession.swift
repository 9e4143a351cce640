import Diagnostics
import Fetch
import JSONReading
package import MappingLanguage
package import PlanCompiler
package import Store
import Values

/// One run of one mapping on one store: what `load`, `map` and `run` share.
package final class RunSession {
  package let mapping: Mapping
  package let plan: Plan
  package let scope: Interpolation
  let store: any Store
  let redactor: Redactor
  let report: (Message) -> Void
  let runID: Int64
  /// Asked between pages, bodies and parts of a body.
  let isInterrupted: @Sendable () -> Bool
  package let intake: BodyIntake
  private var warned = 0

  /// Prepares the tables and opens the run.
  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation, store: any Store, secrets: [String], command: String,
    allowingLoss: Bool, isInterrupted: @escaping @Sendable () -> Bool = { false },
    report: @escaping (Message) -> Void
  ) throws(StoreError) {
    self.mapping = mapping
    self.plan = plan
    self.scope = scope
    self.store = store
    self.isInterrupted = isInterrupted
    redactor = Redactor(secrets: secrets)
    let redactor = redactor
    self.report = { report(Message($0.level, redactor.redact($0.text))) }
    try store.prepare(StoreSchema(plan), allowingLoss: allowingLoss)
    var entry = RunEntry(
      source: plan.source, command: command, mapping: mapping.files.first?.name ?? plan.source)
    if !secrets.isEmpty { entry.redacted = { RejectRedaction(redactor).redacted($0) } }
    runID = try store.beginRun(entry)
    intake = BodyIntake(
      plan: plan, store: store, limits: mapping.source.limits.json, isInterrupted: isInterrupted)
  }

  package var summary: RunSummary { intake.summary }

  /// Closes the run's row; `failure` is what ended it early.
  package func end(_ failure: PipelineError?) throws(StoreError) {
    sayWarnings()
    for nulled in summary.nulled { report(Message(.warning, nulled.text)) }
    try store.endRun(status: status(failure), message: failure.map { redactor.redact($0.message) })
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

  /// Findings about the data, each once.
  func sayWarnings() {
    for warning in intake.warnings.dropFirst(warned) { report(Message(.warning, warning)) }
    warned = intake.warnings.count
  }

  /// What an API said of a request may repeat the secrets in it.
  func redacted(_ error: PipelineError) -> PipelineError {
    PipelineError(error.kind, redactor.redact(error.message))
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
      throw PipelineError("the error could not be kept: \(error.message)")
    }
  }

  /// `$var` values of records.
  var variables: [(name: String, value: Literal)] {
    scope.variables.compactMap { variable in variable.value.map { (variable.name, $0) } }
  }

  /// Reads single values of a body, or gives nil when it is no JSON. Throws when one of them is not one value: a member
  /// on the way stands twice, or it is too large.
  func inspect(
    _ source: BodySource, format: BodyFormat, paths: [KeyPath],
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(JSONError) -> BodyInspection? {
    guard !paths.isEmpty, !format.isNDJSON else { return nil }
    do throws(JSONError) {
      return try BodyInspection(
        of: source, format: format, limits: mapping.source.limits.json, paths: paths, isInterrupted: isInterrupted)
    } catch {
      switch error.code {
      case .syntax, .invalidText, .io: return nil
      case .duplicateMember, .limitDepth, .limitRecord, .interrupted: throw error
      }
    }
  }
}

extension StoreSchema {
  /// The tables that a plan fills.
  package init(_ plan: Plan) {
    self.init(
      tables: plan.tables.map { table in
        Table(shape: table.shape, record: table.record.map { plan.recordNames[$0] })
      })
  }
}
