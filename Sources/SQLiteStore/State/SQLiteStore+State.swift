package import Store

extension SQLiteStore {
  package func keep(_ changes: [StateChange]) throws(StoreError) {
    guard !changes.isEmpty else { return }
    if transactions.isOpen { return try states.apply(changes, source: source, run: runID) }
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
