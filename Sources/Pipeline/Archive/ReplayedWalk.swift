import Mapper
import PlanCompiler
import Records
import Store

/// Walks of the archive, one after the other: the answers of one stand together.
///
/// What such a walk brings counts as seen by its scope, so that a later walk may sweep it. Rows of a keyless record that
/// walks replace become those of the walk; of others nothing is removed.
struct ReplayedWalk {
  let session: RunSession
  let store: any ReadableStore
  private struct Identity: Hashable {
    var run: Int64
    var scope: [UInt8]
  }

  private var open: Identity?
  /// Walks of which an answer gave no rows, and why.
  private var lacking: [Identity: String] = [:]
  private var keyless: [String] = []
  private var before: RunSummary

  private static let reason = "a replay removes nothing"

  enum Verdict {
    case take
    /// On account of this record.
    case leaveOut(String)
  }

  init(session: RunSession, store: any ReadableStore) {
    self.session = session
    self.store = store
    before = session.summary
  }

  /// Starts the walk that the answer belongs to, unless it is the one at hand.
  mutating func enter(_ answer: StoredResponse, endpoints: [Int]) throws(PipelineError) -> Verdict {
    if let open, open == identity(of: answer) { return .take }
    try end()
    let watch = WalkWatch(plan: session.plan, endpoints: endpoints)
    let keyless = watch.records.filter { session.plan.isReplaced($0) && !hasKey($0) }
    guard let scope = answer.scope, !watch.records.isEmpty else {
      return keyless.first.map { .leaveOut(session.plan.recordNames[$0]) } ?? .take
    }
    if let record = keyless.first, try runs(of: scope) > 1 {
      return .leaveOut(session.plan.recordNames[record])
    }
    try begin(scope, watch, isAtomic: !keyless.isEmpty)
    self.keyless = keyless.map { session.plan.recordNames[$0] }
    before = session.summary
    open = identity(of: answer)
    return .take
  }

  /// The answer gives no rows: its walk is not all there was.
  mutating func note(lacking answer: StoredResponse, _ reason: String) {
    if let walk = identity(of: answer) { lacking[walk] = reason }
  }

  private func identity(of answer: StoredResponse) -> Identity? {
    answer.scope.map { Identity(run: answer.run, scope: Array($0.utf8)) }
  }

  private func hasKey(_ record: Int) -> Bool {
    session.plan.tables.contains { $0.record == record && !$0.shape.primaryKey.isEmpty }
  }

  private func runs(of scope: String) throws(PipelineError) -> Int {
    do throws(StoreError) {
      return try store.archivedRuns(source: session.plan.source, scope: scope)
    } catch {
      throw PipelineError("the archive cannot be read: \(error.message)")
    }
  }

  private func begin(_ scope: String, _ watch: WalkWatch, isAtomic: Bool) throws(PipelineError) {
    session.intake.watch = watch
    _ = session.intake.mapper.takeUnsweepable()
    let (plan, mapping) = (session.plan, session.mapping)
    var walk = WalkScope(
      scope: scope, records: watch.records.map { plan.recordNames[$0] }, isAtomic: isAtomic
    ) { WalkIdentity.isCurrent($0, plan: plan, mapping: mapping) }
    walk.isReplay = true
    do throws(StoreError) {
      try store.beginWalk(walk)
    } catch {
      throw PipelineError(error, "a walk of the archive cannot begin: \(error.message)")
    }
  }

  /// Ends the walk at hand.
  mutating func end() throws(PipelineError) {
    guard let walk = open else { return }
    open = nil
    guard var watch = session.intake.watch else { preconditionFailure("a walk is watched to its end") }
    session.intake.watch = nil
    watch.note(unknown: session.intake.mapper.takeUnsweepable())
    let ending = lacking[walk].map { .partial($0) } ?? ending(watch)
    do throws(StoreError) {
      let outcome = try store.endWalk(ending, keeping: [])
      if outcome.isUndone { takeBack(outcome) }
      session.intake.note(outcome)
      for sweep in outcome.sweeps where sweep.reason == nil && sweep.deleted > 0 {
        let rows = sweep.deleted == 1 ? "1 row was" : "\(sweep.deleted) rows were"
        session.report(Message(.info, "\(sweep.record): \(rows) replaced"))
      }
    } catch {
      throw PipelineError(error, "a walk of the archive cannot end: \(error.message)")
    }
  }

  /// A record without a key replaces all of its rows or none, and it may not.
  private func takeBack(_ outcome: WalkOutcome) {
    session.intake.takeBack(to: before, keepingRejected: true)
    for sweep in outcome.sweeps {
      guard let reason = sweep.reason else { continue }
      session.report(Message(.warning, "\(sweep.record): its rows stay as they were: \(reason)"))
    }
  }

  /// The replay has failed: what it did is undone.
  func abandon() {
    guard open != nil else { return }
    session.intake.watch = nil
    // Why it failed is the news.
    _ = try? store.endWalk(.failed, keeping: [])
  }

  private func ending(_ watch: WalkWatch) -> WalkEnding {
    if keyless.isEmpty { return .partial(Self.reason) }
    let names = watch.records.map { session.plan.recordNames[$0] }
    let kept = names.filter { name in !keyless.contains { $0.utf8.elementsEqual(name.utf8) } }
    let others = watch.unswept.filter { entry in !kept.contains { $0.utf8.elementsEqual(entry.record.utf8) } }
    return .complete(unswept: kept.map { ($0, Self.reason) } + others)
  }
}
