import CSQLite
package import Store

/// One open database file: the only owner of its handle.
///
/// It belongs to one thread at a time. Statements hold it, so it closes after the last of them.
@safe package final class Connection {
  let handle: OpaquePointer
  /// The file as the user named it.
  package let path: String

  /// Opens the file, or makes a new one, ready for reading and writing.
  package convenience init(path: String) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.unusable, "a database needs a file name; name one with --store sqlite:FILE")
    }
    try self.init(opening: path)
  }

  /// A database that nobody else sees, and that is gone when it is closed; what does not fit in memory is in a file that
  /// has no name.
  static func temporary() throws(StoreError) -> Connection { try Connection(opening: "") }

  private init(opening path: String) throws(StoreError) {
    self.path = path.isEmpty ? "the temporary database" : path
    // A name that begins with "file:" would be read as a URI, which can carry options.
    let name = path.utf8.starts(with: "file:".utf8) ? "./" + path : path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let status = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard let handle = unsafe opened else { throw StoreError(.unusable, "no memory to open '\(path)'") }
    unsafe self.handle = handle
    guard status == SQLITE_OK else { throw failure(status) }
    try configure()
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Safe settings first, then those that touch the file.
  private func configure() throws(StoreError) {
    let switches: [(option: Int32, on: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    ]
    for entry in switches {
      let status = unsafe csqlite_switch(handle, entry.option, entry.on)
      guard status == SQLITE_OK else { throw failure(status) }
    }
    unsafe sqlite3_busy_timeout(handle, 5_000)
    // Counts for new files only: an existing one keeps its page size.
    try run("PRAGMA page_size = 8192")
    guard unsafe sqlite3_db_readonly(handle, "main") == 0 else { throw failure(SQLITE_READONLY) }
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = NORMAL")
    // Keys that come in a random order touch pages all over, more than fit in the default 2 MiB.
    try run("PRAGMA cache_size = -32768")
  }

  /// Runs statements that give no rows of interest.
  package func run(_ sql: String) throws(StoreError) {
    let status = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
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
