package import Store

#if FAULTS
  import Faults
#endif

extension SQLiteStore {
  package func keep(_ changes: [StateChange]) throws(StoreError) {
    guard !changes.isEmpty else { return }
    #if FAULTS
      if transactions.isOpen, Fault.cursor.isOn {
        try transactions.commit()
        try transactions.begin()
      }
    #endif
    if transactions.isOpen { return try states.apply(changes, source: source, run: runID) }
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
  }

  package func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {
    // What waits already is older, and is applied when the run ends.
    if transactions.isOpen || transactions.isWhole || pending.isThere { return try pending.add(changes) }
    // In the mode of all other transactions the last ones are lost when the power goes.
    try opened.run("PRAGMA synchronous = FULL")
    defer { try? opened.run("PRAGMA synchronous = NORMAL") }
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
  }

  /// Applies what a run could only set aside: at its end, or at the beginning of the next one when it was killed.
  func applyPending() throws(StoreError) {
    guard pending.isThere else { return }
    let changes = try pending.changes()
    try inTransaction { (_) throws(StoreError) in try states.apply(changes, source: source, run: runID) }
    pending.remove()
  }

  package func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    try state(of: source, scope: scope, prefix: prefix)
  }

  package func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows {
    snapshots += 1
    return try ParentSnapshot(opened, query, number: snapshots)
  }
}
