import CSQLite
import Glibc
import Store

extension Connection {
  /// What a result code means for the person who runs the command. SQLite's own messages name tables, columns and
  /// indexes, never a value.
  func failure(_ status: Int32) -> StoreError {
    switch status & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: return busy()
    case SQLITE_INTERRUPT: return StoreError(.interrupted, "'\(path)': what it was doing was asked to stop")
    case SQLITE_FULL: return diskFull
    case SQLITE_NOTADB:
      return StoreError(
        .unusable, "'\(path)' is not an SQLite database; name another file with --store, or move it away")
    case SQLITE_READONLY where !canCreate(in: folder) && allows(W_OK):
      return StoreError(.unusable, "'\(path)' cannot be written: \(closedFolder)")
    case SQLITE_READONLY: return StoreError(.unusable, "'\(path)' is read-only for this user; allow writing to it")
    case SQLITE_CANTOPEN: return StoreError(.unusable, "'\(path)' cannot be opened: \(reasonNotToOpen)")
    case SQLITE_CORRUPT:
      return StoreError(
        .damaged, "'\(path)' is damaged (\(message)); restore a copy, or let sqlite3's .recover save it")
    case SQLITE_IOERR:
      if unsafe sqlite3_system_errno(handle) == ENOSPC { return diskFull }
      if let sizeLimit, unsafe sqlite3_extended_errcode(handle) == SQLITE_IOERR | 3 << 8 {
        return StoreError(
          .diskFailed,
          "'\(path)' cannot grow: a file of this process may have \(sizeLimit) bytes at most (ulimit -f); raise that, "
            + "then run again")
      }
      return StoreError(
        .diskFailed, "'\(path)' cannot be read or written: \(message); look after the disk, then run again")
    case SQLITE_CONSTRAINT: return StoreError(.constraint, broken)
    default: return StoreError(.failed, "'\(path)': \(message)\(strangers)")
    }
  }

  /// Names a foreign key that some row breaks, of those that a commit was refused for; nil when all hold.
  func danglingReference() throws(StoreError) -> StoreError? {
    let check = try prepare(
      """
      SELECT c."table", c.parent, group_concat(k."from", ', ')
      FROM (SELECT * FROM pragma_foreign_key_check LIMIT 1) c, pragma_foreign_key_list(c."table") k
      WHERE k.id = c.fkid GROUP BY 1, 2
      """)
    guard try check.step() else { return nil }
    defer { check.reset() }
    let (table, parent, columns) = (check.text(0) ?? "", check.text(1) ?? "", check.text(2) ?? "")
    return StoreError(
      .constraint, "table '\(table)' would hold a row whose (\(columns)) refers to no row of '\(parent)'")
  }

  private var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }

  /// Which constraint was broken. The mapping's own are looked at before a row is written: these two are somebody else's.
  private var broken: String {
    let words = message
    if let column = words.behind("NOT NULL constraint failed: ") {
      return "'\(path)': no row can be stored without a value in \(column), a column that is NOT NULL and that the "
        + "mapping gives none: give it a default, drop it, or add a field of its name"
    }
    if let name = words.behind("CHECK constraint failed: ") {
      return "'\(path)': a row breaks the table's own condition CHECK \(name), which the mapping does not know: take "
        + "the condition from the table, or filter such records"
    }
    return words
  }

  /// A statement of the store's own names nothing that is not there.
  private var strangers: String {
    guard message.behind("no such table: main.") != nil else { return "" }
    return "; if a trigger or view that others made names it, mend or drop that (sqlite3: .schema)"
  }

  private var diskFull: StoreError {
    StoreError(.diskFull, "the disk is full that holds '\(path)'; free some space, then run again")
  }

  /// SQLite does not tell a limit that was reached from other writes that fail. Nil where there is none.
  private var sizeLimit: rlim_t? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(Int64.max)
    else { return nil }
    return limit.rlim_cur
  }

  private var reasonNotToOpen: String {
    if isFolder(path) { return "it is a folder; name a file" }
    if !isFolder(folder) { return "there is no folder '\(folder)'; create it, or name another file with --store" }
    if allows(F_OK), !allows(R_OK) { return "this user may not read it" }
    if !canCreate(in: folder) { return closedFolder }
    let code = unsafe sqlite3_system_errno(handle)
    return code == 0 ? message : unsafe String(cString: strerror(code))
  }

  private var folder: String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private var closedFolder: String { "this user may not create files in the folder '\(folder)'" }

  private func canCreate(in folder: String) -> Bool { unsafe access(folder, W_OK | X_OK) == 0 }

  private func allows(_ mode: Int32) -> Bool { unsafe access(path, mode) == 0 }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension String {
  /// What follows that beginning; nil without it.
  fileprivate func behind(_ beginning: String) -> Substring? {
    utf8.starts(with: beginning.utf8) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
  }
}
