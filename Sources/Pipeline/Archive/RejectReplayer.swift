import Fetch
import JSONReading
import Mapper
import PlanCompiler
import Records
package import Store
import Values

/// `replay --rejects`: maps the records again that runs have rejected, each in a transaction of its own, oldest first.
///
/// What can be mapped now leaves `_ingest_rejects`, be it that it is filtered or skipped; the rest stays as it is, and
/// counts as rejected.
package struct RejectReplayer {
  let session: RunSession
  let store: any ReadableStore
  private let query: ArchiveQuery

  /// `endpoint`: only what it has brought.
  package init(session: RunSession, store: any ReadableStore, endpoint: String?) {
    self.session = session
    self.store = store
    query = ArchiveQuery(source: session.plan.source, endpoint: endpoint)
  }

  package func replay() throws(PipelineError) {
    var (last, taken, unknown) = (Int64(0), 0, 0)
    // Ends: only rejects of earlier runs are given, and their numbers grow.
    while let reject = try next(after: last) {
      try session.checkInterruption()
      last = reject.id
      guard let reason = try take(reject) else {
        taken += 1
        continue
      }
      if !session.intake.keepRejected(reject, reason: reason) { unknown += 1 }
    }
    do throws(StoreError) {
      try session.intake.countKept()
    } catch {
      throw PipelineError(error, "the counts could not be kept: \(error.message)")
    }
    session.sayWarnings()
    let what = taken == 1 ? "1 rejected record was" : "\(taken) rejected records were"
    session.report(Message(.info, last == 0 ? "no rejected record is kept" : "\(what) mapped"))
    guard unknown > 0 else { return }
    session.report(
      Message(
        .warning,
        "\(unknown == 1 ? "1 rejected record stays" : "\(unknown) rejected records stay"), of records that this "
          + "mapping does not have"))
  }

  private func next(after id: Int64) throws(PipelineError) -> KeptReject? {
    do throws(StoreError) {
      return try store.keptReject(query, after: id)
    } catch {
      throw PipelineError(error, "the rejected records cannot be read: \(error.message)")
    }
  }

  /// Nil when the record was mapped; else why it stays.
  private func take(_ reject: KeptReject) throws(PipelineError) -> String? {
    let mark = Redactor.mark
    let holdsMark = { reject.value.contains(mark.utf8) || reject.context?.utf8.contains(mark.utf8) ?? false }
    if reject.isRedacted ?? holdsMark() {
      return "a secret in it was replaced by '\(mark)' before it was kept: load the body again"
    }
    let found: RejectPlace
    do throws(RejectPlace.Failure) {
      found = try RejectPlace(of: reject, in: session.plan)
    } catch {
      return error.reason
    }
    let context = BodyContext(
      matches: [BodyContext.Match(endpoint: found.endpoint)], fetchedAt: Instant.now().rfc3339 ?? "",
      runID: session.runID)
    do {
      return try session.intake.take(reject, at: found.position, context: context, store: store)
    } catch {
      let failure = BodyFailure(error, name: reject.source)
      if case .value = failure.cause { return failure.message }
      if case .interrupted = failure.cause { throw .interrupted }
      throw session.redacted(PipelineError("\(failure.name): \(failure.message)"))
    }
  }
}
