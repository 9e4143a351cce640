/// A store whose rows can be read back: what the `tests` of a mapping are judged by.
package protocol ReadableStore: Store {
  /// All rows of a table, in the order in which they were stored.
  func readRows(of table: String) throws(StoreError) -> StoredRows
}

package struct StoredRows: Sendable {
  package var columns: [String]
  package var rows: [[StoredValue]]

  package init(columns: [String], rows: [[StoredValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// A value as a store holds it.
package enum StoredValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}
