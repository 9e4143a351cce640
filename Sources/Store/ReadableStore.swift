/// A store that can be looked at: its rows, and what a mapping would change in it.
package protocol ReadableStore: Store {
  /// All rows of a table, in the order in which they were stored.
  func readRows(of table: String) throws(StoreError) -> StoredRows

  func has(table: String) throws(StoreError) -> Bool

  /// What a source remembers, without a run.
  func state(of source: String, scope: String, prefix: String) throws(StoreError) -> [StateEntry]

  /// What `prepare` would do; nothing is changed.
  func plan(_ schema: StoreSchema) throws(StoreError) -> SchemaPlan
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
