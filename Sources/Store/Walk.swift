/// What a walk covers, and what it may remove.
package struct WalkScope: Sendable {
  /// The endpoint with the values of its request's variables and parameters, as canonical JSON.
  package var scope: String
  /// Records with `sweep` or `write: replace` that the walk's places lead to: rows of theirs that the scope has seen
  /// before may go at its end.
  package var records: [String]
  /// One of the records replaces: all that the walk brings, of every record, takes effect at its end.
  package var isAtomic: Bool
  /// It goes over answers of the archive: none of them is obsolete after it.
  package var isReplay = false
  /// Can a stored scope of this source still be walked under this mapping? One that cannot protects nothing.
  package var isCurrent: @Sendable (String) -> Bool

  package init(
    scope: String, records: [String], isAtomic: Bool = false,
    isCurrent: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.scope = scope
    self.records = records
    self.isAtomic = isAtomic
    self.isCurrent = isCurrent
  }
}

/// How a walk ended.
package enum WalkEnding: Sendable {
  /// To its stop rule, without an error. Records of `unswept` may lose no row, for the reason given.
  case complete(unswept: [(record: String, reason: String)])
  /// Nothing may be removed, for the reason given; what came stays.
  case partial(String)
  case failed
}

/// What the end of a walk did.
package struct WalkOutcome: Sendable, Hashable {
  /// Of each record that the walk could have removed rows of.
  package var sweeps: [SweepOutcome] = []
  /// A record that replaces has no key, and nothing may be removed: nothing of the walk takes effect.
  package var isUndone = false

  package init(sweeps: [SweepOutcome] = [], isUndone: Bool = false) {
    self.sweeps = sweeps
    self.isUndone = isUndone
  }
}

/// What a walk's end did to the rows of one record.
package struct SweepOutcome: Sendable, Hashable {
  package var record: String
  package var deleted = 0
  /// Rows that were not seen, and stay: another scope has seen them, or the rule's condition does not hold.
  package var kept = 0
  /// Why nothing was swept; nil when it was.
  package var reason: String?

  package init(record: String, deleted: Int = 0, kept: Int = 0, reason: String? = nil) {
    self.record = record
    self.deleted = deleted
    self.kept = kept
    self.reason = reason
  }
}
