import Records
import Store

/// Rows without a key: each is a new one.
final class AppendWriter: TableWriter {
  private let rows: RowWriter

  init(_ connection: Connection, _ sql: TableSQL) { rows = RowWriter(connection, sql) }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    for row in range where !table.rows[row].isShield {
      _ = try rows.insertNew(table.cells, at: row * table.columnCount)
      outcome.inserted += 1
    }
  }

  func endBody(_ outcome: inout RecordOutcome) {}

  func forget() {}
}
