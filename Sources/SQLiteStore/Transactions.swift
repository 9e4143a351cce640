import Store

#if FAULTS
  import Faults
#endif

/// Transactions, as `store.commit` wants them: each part of a run in one of its own, or the whole run in one, within
/// which a part that fails is undone alone.
final class Transactions {
  private let connection: Connection
  /// `commit: run`: everything since `beginWhole` takes effect at its end, or not at all.
  private(set) var isWhole = false
  /// A part is open: a body, a walk that replaces, or an entry of the bookkeeping.
  private(set) var isOpen = false

  private static let part = "_ingest_part"

  init(_ connection: Connection) { self.connection = connection }

  func beginWhole() throws(StoreError) {
    precondition(!isWhole && !isOpen, "a run has one transaction")
    try start()
    isWhole = true
  }

  /// Commits or undoes the run.
  func endWhole(keeping: Bool) throws(StoreError) {
    guard isWhole else { return }
    isOpen = false
    if keeping {
      try checkWhole()
      try commitAll()
      isWhole = false
    } else {
      isWhole = false
      if connection.isInTransaction { try connection.run("ROLLBACK") }
    }
  }

  func begin() throws(StoreError) {
    precondition(!isOpen, "a part of a run ends before the next one begins")
    if isWhole {
      try checkWhole()
      try connection.run("SAVEPOINT \(Self.part)")
    } else {
      try start()
    }
    isOpen = true
  }

  func commit() throws(StoreError) {
    if isWhole { try connection.run("RELEASE \(Self.part)") } else { try commitAll() }
    isOpen = false
  }

  /// Does nothing when no part is open.
  func rollback() throws(StoreError) {
    guard isOpen else { return }
    isOpen = false
    // After some failures SQLite has undone everything itself.
    guard connection.isInTransaction else { return }
    if isWhole {
      try connection.run("ROLLBACK TO \(Self.part)")
      try connection.run("RELEASE \(Self.part)")
    } else {
      try connection.run("ROLLBACK")
    }
  }

  private func start() throws(StoreError) {
    #if FAULTS
      try connection.run(Fault.begin.isOn ? "BEGIN" : "BEGIN IMMEDIATE")
    #else
      try connection.run("BEGIN IMMEDIATE")
    #endif
    // Tables are filled one after the other: what a row refers to may come later in the same transaction.
    try connection.run("PRAGMA defer_foreign_keys = ON")
  }

  private func commitAll() throws(StoreError) {
    try connection.checkFile()
    do throws(StoreError) {
      try connection.run("COMMIT")
    } catch {
      guard error.code == .constraint else { throw error }
      throw try connection.danglingReference() ?? error
    }
  }

  private func checkWhole() throws(StoreError) {
    guard !connection.isInTransaction else { return }
    throw StoreError(.failed, "'\(connection.path)': the run is undone, for what failed before (commit: run)")
  }
}
