import Mapper
import PlanCompiler
import Store

/// Walks: what lies between the first request of an endpoint and the last.
extension RunSession {
  /// How the requests of a walk ended without an error.
  struct WalkClose {
    /// Why nothing may be removed; nil when all there is has come.
    var obstacle: String?
    /// The server said that nothing has changed: nothing came, and nothing is to be said of sweeps.
    var isUnchanged = false
    /// Its stop rule was met without an error.
    var isComplete = true
    /// What is remembered with the end of the walk.
    var keeping: [StateChange] = []
    /// What is remembered in its place when that end fails.
    var forgetting: [StateChange] = []

    static let complete = WalkClose()
    /// Not all there is has come, for the reason given.
    static func partial(_ reason: String) -> WalkClose {
      WalkClose(obstacle: reason, isComplete: false)
    }
  }

  /// Runs a walk over these endpoints' places, and removes at its end what it has not seen, where mapping and data allow
  /// it. What `requests` throws ends the walk as failed. True: nothing of the walk has taken effect, since it may not remove.
  @discardableResult func walk(
    _ identity: WalkIdentity, endpoints: [Int], _ requests: () throws(PipelineError) -> WalkClose
  ) throws(PipelineError) -> Bool {
    let watch = WalkWatch(plan: plan, endpoints: endpoints)
    if watch.records.isEmpty {
      try keep(try requests().keeping, of: identity)
      return false
    }
    let before = summary
    try begin(identity, watch)
    let close: WalkClose
    do {
      close = try requests()
    } catch {
      abandon(watch, before)
      throw error
    }
    return try end(close, identity, before)
  }

  private func keep(_ changes: [StateChange], of identity: WalkIdentity) throws(PipelineError) {
    do {
      try store.keep(changes)
    } catch {
      throw PipelineError(
        error, "endpoint '\(identity.endpoint)': the end of the walk cannot be noted: \(error.message)")
    }
  }

  private func begin(_ identity: WalkIdentity, _ watch: WalkWatch) throws(PipelineError) {
    intake.watch = watch
    _ = intake.mapper.takeUnsweepable()
    let (plan, mapping) = (plan, mapping)
    do {
      try store.beginWalk(
        WalkScope(
          scope: identity.redacted(by: redactor).text, records: watch.records.map { plan.recordNames[$0] },
          isAtomic: watch.replaces
        ) { WalkIdentity.isCurrent($0, plan: plan, mapping: mapping) })
    } catch {
      intake.watch = nil
      throw PipelineError(error, "endpoint '\(identity.endpoint)': the walk cannot begin: \(error.message)")
    }
  }

  private func abandon(_ watch: WalkWatch, _ before: RunSummary) {
    intake.watch = nil
    if watch.replaces { intake.takeBack(to: before) }
    // Why the walk failed is the news.
    _ = try? store.endWalk(.failed, keeping: [])
  }

  private func end(
    _ close: WalkClose, _ identity: WalkIdentity, _ before: RunSummary
  ) throws(PipelineError) -> Bool {
    guard var watch = intake.watch else { preconditionFailure("a walk is watched to its end") }
    if close.isUnchanged {
      abandon(watch, before)
      try keep(close.keeping, of: identity)
      return false
    }
    intake.watch = nil
    watch.note(unknown: intake.mapper.takeUnsweepable())
    let ending = close.obstacle.map(WalkEnding.partial) ?? .complete(unswept: watch.unswept)
    do {
      let outcome = try store.endWalk(ending, keeping: close.keeping)
      if outcome.isUndone { intake.takeBack(to: before, keepingRejected: true) }
      intake.note(outcome)
      say(outcome)
      return outcome.isUndone
    } catch {
      if watch.replaces { intake.takeBack(to: before) }
      if error.code == .interrupted { throw .interrupted }
      // All pages are stored, so that the next run would ask for nothing and end it; it has to be walked again.
      try? store.keep(close.forgetting)
      try record(
        ErrorEntry(
          endpoint: identity.endpoint, code: error.code.rawValue, message: error.message, action: "fail"))
      throw PipelineError("endpoint '\(identity.endpoint)': \(error.message)")
    }
  }

  private func say(_ outcome: WalkOutcome) {
    for sweep in outcome.sweeps {
      let isReplaced = plan.recordNames.firstIndex { $0.utf8.elementsEqual(sweep.record.utf8) }.map(plan.isReplaced)
      if let reason = sweep.reason {
        let what = isReplaced ?? false ? "nothing was replaced away" : "nothing was swept"
        report(Message(.warning, "\(sweep.record): \(what): \(reason)"))
        continue
      }
      var text = "\(sweep.record): \(sweep.deleted) \(sweep.deleted == 1 ? "row was" : "rows were") swept"
      if sweep.kept > 0 {
        text += "; \(sweep.kept) that \(sweep.kept == 1 ? "was" : "were") not seen stay, by 'where' or another scope"
      }
      report(Message(.info, text))
    }
    guard outcome.isUndone else { return }
    report(
      Message(
        .warning, "nothing of the walk takes effect: a record without a key replaces all of its rows or none"))
  }
}
