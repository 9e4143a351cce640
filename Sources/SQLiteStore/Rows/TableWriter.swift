import Records
import Store

/// Applies what a body says about one table.
protocol TableWriter: AnyObject {
  /// Applies rows (of a record's table) or lists (of a child's or link's) of one body, in order, and counts them.
  ///
  /// `isTracked` says that more of the same body may have come before or may follow, so that a key can come again.
  /// Where the batch has its document order, rows that are not applied get their verdict; see `RowVerdicts`.
  func write(
    _ table: TableRows, rows: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError)

  /// A row of a record's table that is skipped with the one that it is nested in: it is there, if it is stored.
  func passOver(_ row: Int, of table: TableRows) throws(StoreError)

  /// Counts what the body has done in all, when its last row is written.
  func endBody(_ outcome: inout RecordOutcome) throws(StoreError)

  /// Ends the body, after what it leaves behind is swept.
  func closeBody() throws(StoreError)

  /// Forgets what a rollback has undone.
  func forget()
}

extension TableWriter {
  func passOver(_ row: Int, of table: TableRows) throws(StoreError) {}

  func closeBody() throws(StoreError) {}
}
