package import Store

extension SQLiteStore {
  package func keep(_ changes: [StateChange]) throws(StoreError) {
    guard !changes.isEmpty else { return }
    if transactions.isOpen { return try states.apply(changes, source: source, run: runID) }
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
  }

  package func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {
    if walk?.isAtomic ?? false, opened.isInTransaction { return walk?.changes.append(contentsOf: changes) ?? () }
    // In the mode of all other transactions the last ones are lost when the power goes.
    try opened.run("PRAGMA synchronous = FULL")
    defer { try? opened.run("PRAGMA synchronous = NORMAL") }
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
  }

  package func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    try states.entries(source: source, scope: scope, prefix: prefix)
  }

  package func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows {
    snapshots += 1
    return try ParentSnapshot(opened, query, number: snapshots)
  }
}
