import CSQLite

/// The C library that keeps the database.
@safe package enum SQLiteLibrary {
  /// Name and version.
  package static var version: String { unsafe "SQLite \(String(cString: sqlite3_libversion()))" }
}
