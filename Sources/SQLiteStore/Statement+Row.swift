import CSQLite
import Glibc
package import Records

/// The current row.
extension Statement {
  var columnNames: [String] {
    (0..<columnCount).map { column in
      guard let name = unsafe sqlite3_column_name(handle, Int32(column)) else { return "" }
      return unsafe String(cString: name)
    }
  }

  package func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(column)) }

  package func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

  /// The value as text, or nil for NULL.
  package func text(_ column: Int) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

  /// The kind of value that is stored there.
  package func kind(_ column: Int) -> Cell.Kind {
    switch unsafe sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .bytes
    default: .null
    }
  }

  package func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, Int32(column)) }

  package func bytes(_ column: Int) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Whether the row holds exactly this value: of the same kind, with the same bytes. A REAL column holds doubles only,
  /// and no negative zero.
  func holds(_ cell: Cell, in column: Int, isReal: Bool) -> Bool {
    let index = Int32(column)
    let type = unsafe sqlite3_column_type(handle, index)
    switch cell.kind {
    case .missing, .null: return type == SQLITE_NULL
    case .integer where isReal:
      let stored = unsafe sqlite3_column_double(handle, index)
      return type == SQLITE_FLOAT && stored == Double(cell.integerValue)
    case .integer:
      guard type == SQLITE_INTEGER else { return false }
      return unsafe sqlite3_column_int64(handle, index) == cell.integerValue
    case .real:
      guard type == SQLITE_FLOAT else { return false }
      let stored = unsafe sqlite3_column_double(handle, index)
      return isReal ? stored == cell.realValue : stored.bitPattern == cell.payload
    case .text:
      guard type == SQLITE_TEXT else { return false }
      let start = unsafe UnsafeRawPointer(sqlite3_column_text(handle, index))
      return unsafe Self.isEqual(start, Int(sqlite3_column_bytes(handle, index)), cell.rawBytes)
    case .bytes:
      guard type == SQLITE_BLOB else { return false }
      let start = unsafe sqlite3_column_blob(handle, index)
      return unsafe Self.isEqual(start, Int(sqlite3_column_bytes(handle, index)), cell.rawBytes)
    }
  }

  /// Whether two statements show the same value: of the same kind, with the same bytes.
  func holds(column mine: Int, equalTo column: Int, of other: Statement) -> Bool {
    let (left, right) = (Int32(mine), Int32(column))
    let (type, otherType) = unsafe (sqlite3_column_type(handle, left), sqlite3_column_type(other.handle, right))
    guard type == otherType else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER:
      return unsafe sqlite3_column_int64(handle, left) == sqlite3_column_int64(other.handle, right)
    case SQLITE_FLOAT:
      let stored = unsafe (sqlite3_column_double(handle, left), sqlite3_column_double(other.handle, right))
      return stored.0.bitPattern == stored.1.bitPattern
    default:
      let (start, otherStart) = unsafe (sqlite3_column_blob(handle, left), sqlite3_column_blob(other.handle, right))
      let count = unsafe Int(sqlite3_column_bytes(other.handle, right))
      let bytes = unsafe UnsafeRawBufferPointer(start: otherStart, count: count)
      return unsafe Self.isEqual(start, Int(sqlite3_column_bytes(handle, left)), bytes)
    }
  }

  private static func isEqual(_ start: UnsafeRawPointer?, _ count: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard count == bytes.count else { return false }
    guard let start = unsafe start, let other = bytes.baseAddress else { return count == 0 }
    return unsafe memcmp(start, other, count) == 0
  }
}
