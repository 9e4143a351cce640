package import Records

/// A store that can be looked at: its rows, and what a mapping would change in it.
package protocol ReadableStore: Store {
  /// All rows of a table, in the order in which they were stored.
  func readRows(of table: String) throws(StoreError) -> StoredRows

  func has(table: String) throws(StoreError) -> Bool

  /// What a source remembers, without a run; with what a run that was cut could only set aside.
  func state(of source: String, scope: String, prefix: String) throws(StoreError) -> [StateEntry]

  /// Keeps what a source is to remember, under a run of its own that is over with it: all of that in one transaction,
  /// which is on the disk when this returns.
  func keep(_ changes: [StateChange], under run: RunEntry) throws(StoreError)

  /// Keeps what a source is to remember where another process's transaction does not let it be stored: whoever runs next
  /// for the source stores it.
  func setAside(_ changes: [StateChange], for source: String) throws(StoreError)

  /// What `prepare` would do; nothing is changed.
  func plan(_ schema: StoreSchema) throws(StoreError) -> SchemaPlan

  /// The next answer of the archive behind the one with that number; nil after the last.
  func archived(_ query: ArchiveQuery, after id: Int64) throws(StoreError) -> StoredResponse?

  /// Up to `count` of the packed bytes of an answer's body; empty behind the last.
  func archivedBytes(of id: Int64, from offset: Int, count: Int) throws(StoreError) -> [UInt8]

  /// Of how many runs the archive has answers of the scope that are not obsolete.
  func archivedRuns(source: String, scope: String) throws(StoreError) -> Int

  /// How many answers of the query are obsolete.
  func obsoleteCount(_ query: ArchiveQuery) throws(StoreError) -> Int

  /// The next rejected record that earlier runs of the query's source have kept, behind the one with that number.
  func keptReject(_ query: ArchiveQuery, after id: Int64) throws(StoreError) -> KeptReject?

  /// Forgets a kept record, in the transaction at hand.
  func removeReject(_ id: Int64) throws(StoreError)

  /// A record of which the batch holds a row that is not there, though walks remove what they do not see, and none has
  /// seen it: it may be gone. Nil when there is no such row.
  func vanishedRecord(in batch: RecordBatch) throws(StoreError) -> String?
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
