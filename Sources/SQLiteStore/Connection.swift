import CSQLite
import Glibc
package import Store

/// One open database file: the only owner of its handle.
///
/// It belongs to one thread at a time. Statements hold it, so it closes after the last of them.
@safe package final class Connection {
  let handle: OpaquePointer
  /// The file as the user named it.
  package let path: String
  /// Asked while statements run that last as long as a mapping, or what is stored, makes them last.
  var isInterrupted: (@Sendable () -> Bool)?
  /// The file that was opened to be written; nil of a database without one.
  private var identity: FileIdentity?
  /// What notes the end of the work, or undoes it, is under way.
  var isEnding = false
  /// The last wait for another process ended because the run was asked to stop.
  var hasStoppedWaiting = false

  package enum Mode: Sendable {
    /// A file that is not there is made.
    case writing
    /// A file that is there, which others may take away: nothing of it is left beside it.
    case aside
    /// Nothing is changed by it, not even while others write.
    case reading
  }

  /// Opens the file.
  package convenience init(path: String, for mode: Mode = .writing) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.unusable, "a database needs a file name; name one with --store sqlite:FILE")
    }
    try self.init(opening: path, for: mode)
  }

  /// A database that nobody else sees, and that is gone when it is closed; what does not fit in memory is in a file that
  /// has no name.
  static func temporary() throws(StoreError) -> Connection { try Connection(opening: "", for: .writing) }

  /// Set up once. Where another part of the process has opened a database before, it stays as it is.
  private static let library: Void = { _ = csqlite_count_no_memory() }()

  private init(opening path: String, for mode: Mode) throws(StoreError) {
    _ = Self.library
    self.path = path.isEmpty ? "the temporary database" : path
    // A name that begins with "file:" would be read as a URI, which can carry options.
    let name = path.utf8.starts(with: "file:".utf8) ? "./" + path : path
    var opened: OpaquePointer?
    // For reading too: who may only read cannot take away what stands beside the file afterwards.
    let flags =
      SQLITE_OPEN_READWRITE | (mode == .writing ? SQLITE_OPEN_CREATE : 0)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let status = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let handle = unsafe opened else { throw StoreError(.unusable, "no memory to open '\(path)'") }
    unsafe self.handle = handle
    guard status == SQLITE_OK else { throw failure(status) }
    try configure()
    switch mode {
    case .writing:
      try configureWriting()
      identity = FileIdentity(of: name)
    case .aside:
      try run("PRAGMA journal_mode = DELETE")
      try run("PRAGMA synchronous = EXTRA")
    case .reading: try configureReading()
    }
    // SQLite looks at a file when something of it is wanted: what is none of its own is to be found here, by every command.
    try run("SELECT 1 FROM main.sqlite_schema LIMIT 1")
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  private func configure() throws(StoreError) {
    let switches: [(option: Int32, on: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    ]
    for entry in switches {
      let status = unsafe csqlite_switch(handle, entry.option, entry.on)
      guard status == SQLITE_OK else { throw failure(status) }
    }
    waitForOthers()
  }

  private func configureReading() throws(StoreError) {
    try run("PRAGMA query_only = ON")
    // What a writer has left beside the file stays there; what is made for this look goes with it.
    guard unsafe access(path + "-wal", F_OK) == 0 else { return }
    let status = unsafe csqlite_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  /// Settings that touch the file.
  private func configureWriting() throws(StoreError) {
    // Counts for new files only: an existing one keeps its page size.
    try run("PRAGMA page_size = 8192")
    guard unsafe sqlite3_db_readonly(handle, "main") == 0 else { throw failure(SQLITE_READONLY) }
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = NORMAL")
    // Keys that come in a random order touch pages all over, more than fit in the default 2 MiB.
    try run("PRAGMA cache_size = -32768")
  }

  /// Is the file that was opened still there under its name? Else what is stored into it would be gone with it.
  func checkFile() throws(StoreError) {
    guard let identity else { return }
    let now = FileIdentity(of: path.utf8.starts(with: "file:".utf8) ? "./" + path : path)
    guard now != identity else { return }
    let what = now == nil ? "moved away or deleted" : "replaced by another file"
    throw StoreError(
      .unusable,
      "'\(path)' was \(what) during the run: what the run had stored by then is in the file that was there; "
        + "put that one back, or run again")
  }

  /// Runs statements that give no rows of interest.
  package func run(_ sql: String) throws(StoreError) {
    let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  /// Instructions of SQLite's between two questions: some tenths of a millisecond.
  private static let instructionsBetweenQuestions: Int32 = 20_000

  /// Runs statements that may take long. When `isInterrupted` says so, the one at hand ends with
  /// `StoreError.Code.interrupted`; had it changed rows, its transaction is undone.
  func interruptibly<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    guard isInterrupted != nil else { return try body() }
    unsafe sqlite3_progress_handler(
      handle, Self.instructionsBetweenQuestions,
      { context in
        guard let context = unsafe context else { return 0 }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.isInterrupted?() ?? false ? 1 : 0
      }, unsafe Unmanaged.passUnretained(self).toOpaque())
    defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    return try body()
  }

  /// Runs what inserts rows that come with their parents, where no other foreign key leads from or to their tables: nobody
  /// looks for the parents once more.
  ///
  /// What was prepared before is prepared anew afterwards, so it is for many rows at a time.
  func withoutReferenceChecks<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    checkReferences(false)
    defer { checkReferences(true) }
    return try body()
  }

  private func checkReferences(_ areChecked: Bool) {
    let status = unsafe csqlite_switch(handle, SQLITE_DBCONFIG_ENABLE_FKEY, areChecked ? 1 : 0)
    precondition(status == SQLITE_OK, "foreign keys can be switched on and off")
  }

  package func prepare(_ sql: String) throws(StoreError) -> Statement { try Statement(sql, on: self) }

  /// Is there a table of that name, in any letter case?
  func has(table: String) throws(StoreError) -> Bool {
    let tables = try prepare(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE")
    try tables.bind(table, at: 0)
    return try tables.step()
  }

  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Rows that the last INSERT, UPDATE or DELETE changed itself.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
}
