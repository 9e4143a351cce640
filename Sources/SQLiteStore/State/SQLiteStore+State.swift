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
    if transactions.isOpen || transactions.isWhole { return try pending.add(changes) }
    // In the mode of all other transactions the last ones are lost when the power goes.
    try opened.run("PRAGMA synchronous = FULL")
    defer { try? opened.run("PRAGMA synchronous = NORMAL") }
    do throws(StoreError) {
      try applyPending(and: changes)
    } catch  where error.code == .busy {
      // A run of another source may be within its transaction for as long as it fetches.
      try pending.add(changes)
    }
  }

  package func keep(_ changes: [StateChange], under run: RunEntry) throws(StoreError) {
    source = run.source
    pending.begin(source)
    // In the mode of all other transactions the last ones are lost when the power goes.
    try opened.run("PRAGMA synchronous = FULL")
    defer { try? opened.run("PRAGMA synchronous = NORMAL") }
    try applyPending(and: changes, under: run)
    openedLog.leave()
  }

  package func setAside(_ changes: [StateChange], for source: String) throws(StoreError) {
    let pending = PendingState(opened)
    pending.begin(source)
    try pending.add(changes)
  }

  /// Applies what a run could only set aside: at its end, or at the beginning of the next one when it was killed.
  func applyPending() throws(StoreError) {
    if pending.isThere { try applyPending(and: []) }
  }

  /// What was set aside is older. `entry`: a run of its own, that is over with it. Whoever holds both takes the database
  /// first, as a run does that sets something aside.
  private func applyPending(and changes: [StateChange], under entry: RunEntry? = nil) throws(StoreError) {
    var file: PendingFile?
    defer { file?.close() }
    try inTransaction { (log) throws(StoreError) in
      var run = runID
      if let entry { run = try log.begin(entry) }
      file = try pending.open()
      if let file { try states.apply(try file.changes(), source: source, run: run) }
      try states.apply(pending.inMemory, source: source, run: run)
      try states.apply(changes, source: source, run: run)
      if entry != nil { try log.end(status: "done", message: nil) }
    }
    file?.remove()
    pending.forget()
  }

  package func state(named name: String, besides source: String) throws(StoreError) -> [String] {
    guard try states.isThere() else { return [] }
    let rows = try opened.prepare("SELECT DISTINCT source FROM _ingest_runs WHERE source <> ?1 ORDER BY source")
    try rows.bind(source, at: 0)
    var sources: [String] = []
    while try rows.step() { sources.append(rows.text(0) ?? "") }
    var values: [String] = []
    for other in sources {
      let entries = try state(of: other, scope: "", prefix: name)
      values += entries.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }
    return values
  }

  package func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    try state(of: source, scope: scope, prefix: prefix)
  }

  package func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows {
    snapshots += 1
    return try opened.interruptibly { () throws(StoreError) in
      try ParentSnapshot(opened, query, number: snapshots)
    }
  }
}
