import MappingLanguage
package import PlanCompiler
package import Store
import Values

/// `prune`: shortens what a store keeps of earlier runs, and nothing that a later one needs.
package struct Pruner {
  let store: any PrunableStore
  let source: String

  package init(store: any PrunableStore, plan: Plan) {
    self.store = store
    source = plan.source
  }

  /// Holds the source meanwhile. Bookkeeping of an older version is brought to this one. `waits`: while another run holds
  /// the source; else that is an error.
  package func prune(
    keeping keep: Duration, waits: Bool, isInterrupted: @escaping @Sendable () -> Bool,
    report: @escaping (Message) -> Void
  ) throws(StoreError) -> PruningOutcome {
    let waiting = waits ? RunSession.waiting(for: source, report: report, isInterrupted: isInterrupted) : nil
    store.watch(isInterrupted)
    try store.hold(source, waiting: waiting)
    try store.prepare(StoreSchema(tables: []), allowingLoss: false)
    try store.hold(source, waiting: waiting)
    let instant = Instant.now()
    let now = Duration.seconds(instant.seconds) + .nanoseconds(Int64(instant.nanoseconds))
    let states = try store.states(of: source)
    return try store.prune(
      PruningRule(
        source: source, keep: keep, firstNeeded: RunSeries.open(in: states, at: now).flatMap { Int64($0) },
        forgotten: Self.forgotten(in: states, keep: keep, now: now)))
  }

  /// Walks that were cut so long ago that no run continues them.
  private static func forgotten(in states: [ScopedState], keep: Duration, now: Duration) -> [StateChange] {
    states.flatMap { state -> [StateChange] in
      guard state.entry.name.utf8.elementsEqual(WalkMemory.walk.utf8), !state.scope.isEmpty,
        let record = StateRecord(state.entry.value), let began = record.began, record.continued(at: now) == nil,
        now - began > keep
      else { return [] }
      return WalkMemory.forgotten(in: state.scope)
    }
  }
}
