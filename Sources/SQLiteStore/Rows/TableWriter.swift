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

  /// Ends a body, if one is open.
  func endBody(_ outcome: inout RecordOutcome) throws(StoreError)

  /// Forgets what a rollback has undone.
  func forget()
}
