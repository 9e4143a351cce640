import CSQLite
import Store

/// A value of a table's BLOB column, read and written in parts.
@safe final class Blob {
  private let handle: OpaquePointer
  private let connection: Connection

  init(
    _ table: String, _ column: String, row: Int64, on connection: Connection, isWritten: Bool
  ) throws(StoreError) {
    var opened: OpaquePointer?
    let status = unsafe sqlite3_blob_open(connection.handle, "main", table, column, row, isWritten ? 1 : 0, &opened)
    guard status == SQLITE_OK, let handle = unsafe opened else { throw connection.failure(status) }
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_blob_close(handle) }

  var count: Int { Int(unsafe sqlite3_blob_bytes(handle)) }

  func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
    guard !bytes.isEmpty else { return }
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe sqlite3_blob_write(handle, buffer.baseAddress, Int32(buffer.count), Int32(offset))
    }
    guard status == SQLITE_OK else { throw connection.failure(status) }
  }

  /// Up to `limit` bytes; empty behind the last.
  func read(at offset: Int, _ limit: Int) throws(StoreError) -> [UInt8] {
    let wanted = min(limit, count - offset)
    guard wanted > 0 else { return [] }
    var status = SQLITE_OK
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      status = unsafe sqlite3_blob_read(handle, buffer.baseAddress, Int32(wanted), Int32(offset))
      filled = status == SQLITE_OK ? wanted : 0
    }
    guard status == SQLITE_OK else { throw connection.failure(status) }
    return bytes
  }
}
