import CSQLite
import Store

/// Keeps SQL that a mapping writes to looking at rows: what changes something, or leads out of the database, is refused
/// when the statement is prepared.
@safe final class ConditionGuard {
  /// What was refused, as the condition calls it.
  private(set) var refused: String?

  /// Functions that load code or reach files. Those of the shell program are not there now, and stay refused if SQLite
  /// is built with them one day.
  private static let functions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "lsdir", "lsmode", "fsdir", "zipfile",
  ]
  /// Tables that are made of files, and those of PRAGMAs, of which some write.
  private static let tables: Set<String> = ["fsdir", "zipfile", "sqlite_dbpage"]

  /// Prepares under guard.
  static func prepare(_ sql: String, on connection: Connection) throws(StoreError) -> Statement {
    let (statement, refused) = ConditionGuard().watching(connection) { () throws(StoreError) in
      try connection.prepare(sql)
    }
    if let refused { throw StoreError(.refused, words(refused)) }
    return try statement.get()
  }

  static func words(_ refused: String) -> String { "'\(refused)' has no place in a condition" }

  /// What `body` gives, and what it was refused.
  func watching<Result>(
    _ connection: Connection, _ body: () throws(StoreError) -> Result
  ) -> (result: Swift.Result<Result, StoreError>, refused: String?) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, second, _, _ in
        guard let context = unsafe context else { return SQLITE_DENY }
        let own = unsafe Unmanaged<ConditionGuard>.fromOpaque(context).takeUnretainedValue()
        let name = unsafe action == SQLITE_FUNCTION ? second : first
        guard let name = unsafe name else { return SQLITE_OK }
        return own.judges(action, unsafe String(cString: name)) ? SQLITE_OK : SQLITE_DENY
      }, context)
    defer {
      unsafe sqlite3_set_authorizer(connection.handle, nil, nil)
      withExtendedLifetime(self) {}
    }
    do throws(StoreError) {
      return (.success(try body()), refused)
    } catch {
      return (.failure(error), refused)
    }
  }

  private func judges(_ action: Int32, _ name: String) -> Bool {
    let lower = name.lowercased()
    switch action {
    case SQLITE_FUNCTION where Self.functions.contains(lower): break
    case SQLITE_READ where lower.utf8.starts(with: "pragma_".utf8) || Self.tables.contains(lower): break
    case SQLITE_PRAGMA, SQLITE_ATTACH, SQLITE_DETACH: break
    default: return true
    }
    refused = refused ?? name
    return false
  }
}
