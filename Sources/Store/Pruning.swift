/// A store whose bookkeeping and archive can be shortened.
package protocol PrunableStore: InspectableStore {
  /// Removes what is kept of old runs, in one transaction: their rows, counts, rejects, errors, archived answers and notes
  /// of files. What the source remembers, and what its scopes have seen, is no part of a run.
  func prune(_ rule: PruningRule) throws(StoreError) -> PruningOutcome
}

/// Which runs of a source go: those that ended longer ago than `keep`. Its last one stays.
package struct PruningRule: Sendable {
  package var source: String
  package var keep: Duration
  /// From this run on they stay, since the next run continues them.
  package var firstNeeded: Int64?
  /// What the source remembers in vain.
  package var forgotten: [StateChange]

  package init(source: String, keep: Duration, firstNeeded: Int64? = nil, forgotten: [StateChange] = []) {
    self.source = source
    self.keep = keep
    self.firstNeeded = firstNeeded
    self.forgotten = forgotten
  }
}

/// How much was removed.
package struct PruningOutcome: Sendable, Hashable {
  package var runs = 0
  package var runsLeft = 0
  package var rejects = 0
  package var errors = 0
  package var responses = 0
  /// Of the removed answers, packed.
  package var bytes: Int64 = 0
  package var files = 0

  package init() {}
}
