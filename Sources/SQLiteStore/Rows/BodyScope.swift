import Store

/// What the writers of all tables share while a body lasts.
final class BodyScope {
  /// Nil when no relationship sweeps.
  let orphans: OrphanSweep?
  /// Whether rows were deleted that may have taken others with them.
  private(set) var hasDeletions = false

  init(orphans: OrphanSweep?) { self.orphans = orphans }

  /// To be called before a row is deleted: what hangs on it goes too.
  func willDelete(_ number: Int64, from table: Int) throws(StoreError) {
    hasDeletions = true
    try orphans?.noteChildren(of: number, in: table)
  }

  func endBody() throws(StoreError) {
    try orphans?.sweep()
    hasDeletions = false
  }

  func forget() {
    orphans?.forget()
    hasDeletions = false
  }
}
