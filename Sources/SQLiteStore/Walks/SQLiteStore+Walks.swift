import Records
package import Store

#if FAULTS
  import Faults
#endif

/// The walk at hand.
struct OpenWalk {
  let scope: WalkScope
  /// The number of the first answer that the archive has of it.
  var firstResponse: Int64?
  /// Errors that came during an atomic walk: they are kept when its transaction has ended.
  var errors: [ErrorEntry] = []

  var isAtomic: Bool { scope.isAtomic }
}

/// Walks: an atomic one is one transaction from its beginning to its end, others have one at their end.
extension SQLiteStore {
  package func beginWalk(_ walk: WalkScope) throws(StoreError) {
    precondition(self.walk == nil && !transactions.isOpen, "a walk ends before the next one begins")
    guard !walk.records.isEmpty, prepared.sightings != nil else { return }
    do throws(StoreError) {
      try prepared.openWalk(walk, source: source)
      if walk.isAtomic { try transactions.begin() }
    } catch {
      // What went wrong first is the news.
      try? prepared.closeWalk()
      throw error
    }
    self.walk = OpenWalk(scope: walk)
  }

  package func endWalk(_ ending: WalkEnding, keeping changes: [StateChange]) throws(StoreError) -> WalkOutcome {
    guard let walk else {
      try keep(changes)
      return WalkOutcome()
    }
    let outcome: WalkOutcome
    do throws(StoreError) {
      outcome = try end(walk.scope, ending, keeping: changes)
    } catch {
      undo()
      // What went wrong first is the news.
      try? leave()
      throw error
    }
    try leave()
    return outcome
  }

  private func end(
    _ walk: WalkScope, _ ending: WalkEnding, keeping changes: [StateChange]
  ) throws(StoreError) -> WalkOutcome {
    var reasons: [(record: String, reason: String)]
    switch ending {
    case .failed:
      // Bodies of a walk that is not atomic stay, and their rows count as seen.
      try rollback()
      return WalkOutcome()
    #if FAULTS
      case .partial where Fault.sweep.isOn: reasons = []
    #endif
    case .partial(let reason): reasons = walk.records.map { ($0, reason) }
    case .complete(let unswept): reasons = unswept
    }
    let sightings = prepared.sightings
    if walk.isAtomic, sightings?.mustUndo(walk, reasons) ?? false {
      try rollback()
      // That it was partial is known all the same; what a complete walk would have left is not so.
      if case .partial = ending { try keep(changes) }
      return WalkOutcome(
        sweeps: reasons.map { SweepOutcome(record: $0.record, reason: $0.reason) }, isUndone: true)
    }
    if !walk.isAtomic { try transactions.begin() }
    let sweeps = try opened.interruptibly { () throws(StoreError) in try sightings?.sweep(except: reasons) ?? [] }
    try noteObsolete(sweeps)
    for sweep in sweeps where sweep.deleted > 0 { try openedLog.add(swept: sweep.deleted, of: sweep.record) }
    try keep(changes)
    try transactions.commit()
    return WalkOutcome(sweeps: sweeps)
  }

  /// Closes the walk, and keeps the errors that waited for its end.
  private func leave() throws(StoreError) {
    let errors = walk?.errors ?? []
    walk = nil
    for error in errors { try record(error) }
    try prepared.closeWalk()
  }
}
