package import MappingLanguage
package import PlanCompiler
package import Records
package import Store
package import Values

/// What is in a store, and what the next run will do with it.
package struct StoreStatus: Sendable {
  package struct Dangling: Sendable {
    package var table: String
    package var column: String
    package var targets: [SoftReference.Target]
    package var found: DanglingRows
  }

  package var source: String
  package var holder: SourceHolder?
  /// The last ones, the last one first.
  package var runs: [StoredRun]
  package var runCount: Int
  /// The last run was cut or failed: the next one continues it, from the number of this run.
  package var continued: String?
  package var walks: [WalkStatus]
  package var rejects: [RejectGroup]
  package var dangling: [Dangling]
  /// References that all lead somewhere.
  package var intactReferences: Int

  package static let runLimit = 5

  /// `now`: what is a day old cannot be continued, what is older than its `ttl` is asked for again.
  package init(
    of store: any InspectableStore, mapping: Mapping, plan: Plan, now: Instant = .now()
  ) throws(StoreError) {
    source = plan.source
    holder = try store.holder(of: source)
    if holder?.life == .gone { holder = nil }
    runs = try store.latestRuns(of: source, limit: Self.runLimit)
    runCount = try store.runCount(of: source)
    rejects = try store.rejects(of: source)
    let states = try store.states(of: source)
    let since = Duration.seconds(now.seconds) + .nanoseconds(Int64(now.nanoseconds))
    continued = RunSeries.open(in: states, at: since)
    walks = WalkStatus.all(in: states, mapping: mapping, plan: plan, now: since)
    dangling = []
    intactReferences = 0
    for shape in plan.shapes where shape.role != .membership {
      for reference in shape.references {
        guard let found = try store.dangling(reference, of: shape) else { continue }
        if found.rows == 0 {
          intactReferences += 1
          continue
        }
        dangling.append(
          Dangling(
            table: shape.name, column: shape.columns[reference.column].name, targets: reference.targets, found: found))
      }
    }
  }

  /// No run has stored anything yet.
  package var isEmpty: Bool { runCount == 0 && walks.isEmpty }
}
