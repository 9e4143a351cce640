import CSQLite
package import Store

/// A prepared statement: finalized once, when its last owner lets go of it.
///
/// Parameters and columns of its rows count from 0.
@safe package final class Statement {
  let handle: OpaquePointer
  private let connection: Connection

  init(_ sql: String, on connection: Connection) throws(StoreError) {
    var prepared: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard status == SQLITE_OK, let handle = unsafe prepared else { throw connection.failure(status) }
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Whether there is a next row. After the last one, and after a failure, the statement is reset.
  package func step() throws(StoreError) -> Bool {
    let status = unsafe sqlite3_step(handle)
    if status == SQLITE_ROW { return true }
    if status != SQLITE_DONE {
      let failure = connection.failure(status)
      reset()
      throw failure
    }
    reset()
    return false
  }

  /// Leaves the rows that are left.
  package func reset() { unsafe sqlite3_reset(handle) }

  /// Runs a statement to its end, whatever rows it gives.
  package func run() throws(StoreError) {
    while try step() {}
  }

  func check(_ status: Int32) throws(StoreError) {
    guard status == SQLITE_OK else { throw connection.failure(status) }
  }
}
