import Records
import Store

/// Rows without a key: each is a new one.
final class AppendWriter: TableWriter {
  private let rows: RowWriter
  private let unique: UniqueIndexes?
  private let index: Int
  private let keys: GeneratedKeys?

  init(_ connection: Connection, _ sql: TableSQL, index: Int, keys: GeneratedKeys?) {
    self.index = index
    self.keys = keys
    rows = RowWriter(connection, sql)
    unique = UniqueIndexes(sql.shape, table: index)
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    for row in range where !table.rows[row].isShield {
      do throws(StoreError) {
        let number = try rows.insertNew(table.cells, at: row * table.columnCount)
        keys?.note(number, row: row, of: index)
        outcome.inserted += 1
      } catch {
        guard let unique else { throw error }
        try unique.reject(row, for: error, verdicts)
      }
    }
  }

  func endBody(_ outcome: inout RecordOutcome) {}

  func forget() {}
}
