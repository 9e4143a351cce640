import CSQLite
import Records
package import Store

extension Statement {
  /// Binds a cell without a copy: its batch must live until the statement has run.
  func bind(_ cell: Cell, at position: Int) throws(StoreError) {
    let index = Int32(position + 1)
    switch cell.kind {
    case .missing, .null: try check(unsafe sqlite3_bind_null(handle, index))
    case .integer: try check(unsafe sqlite3_bind_int64(handle, index, cell.integerValue))
    case .real: try check(unsafe sqlite3_bind_double(handle, index, cell.realValue))
    case .text:
      let bytes = unsafe cell.rawBytes
      // A null pointer would bind NULL in place of the empty text.
      guard let start = bytes.baseAddress, cell.length > 0 else {
        return try check(unsafe csqlite_bind_copied_text(handle, index, nil, 0))
      }
      let text = unsafe start.assumingMemoryBound(to: CChar.self)
      try check(unsafe sqlite3_bind_text64(handle, index, text, UInt64(cell.length), nil, UInt8(SQLITE_UTF8)))
    case .bytes:
      let bytes = unsafe cell.rawBytes
      guard let start = bytes.baseAddress, cell.length > 0 else {
        return try check(unsafe sqlite3_bind_zeroblob(handle, index, 0))
      }
      try check(unsafe sqlite3_bind_blob64(handle, index, start, UInt64(cell.length), nil))
    }
  }

  package func bind(_ value: Int64?, at position: Int) throws(StoreError) {
    let index = Int32(position + 1)
    guard let value else { return try check(unsafe sqlite3_bind_null(handle, index)) }
    try check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  /// Binds a copy of the text.
  package func bind(_ text: String?, at position: Int) throws(StoreError) {
    guard let text else { return try check(unsafe sqlite3_bind_null(handle, Int32(position + 1))) }
    try bind(text: Array(text.utf8), at: position)
  }

  /// Binds a copy of text that is at hand as bytes.
  func bind(text bytes: [UInt8], at position: Int) throws(StoreError) {
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe csqlite_bind_copied_text(handle, Int32(position + 1), buffer.baseAddress, UInt64(buffer.count))
    }
    try check(status)
  }

  /// Binds a copy of bytes.
  func bind(copied bytes: [UInt8], at position: Int) throws(StoreError) {
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe csqlite_bind_copied_bytes(handle, Int32(position + 1), buffer.baseAddress, UInt64(buffer.count))
    }
    try check(status)
  }

  /// Binds what another statement shows in its current row.
  func bind(column: Int, of other: Statement, at position: Int) throws(StoreError) {
    let value = unsafe sqlite3_column_value(other.handle, Int32(column))
    try check(unsafe sqlite3_bind_value(handle, Int32(position + 1), value))
  }
}
