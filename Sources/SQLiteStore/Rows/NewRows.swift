import Records

/// Rows of the batch at hand that were not stored before: nothing is stored of their children, so nobody needs to look.
///
/// It holds for tables of children that were empty when the run began. Their rows are then all of this run, and each went
/// with its parent.
final class NewRows {
  /// By table, a bit for each row; empty where the batch comes in document order, and rows may be rejected with others.
  private var bits: [[UInt64]] = []

  func begin(_ batch: RecordBatch?) {
    guard let batch else { return bits.removeAll(keepingCapacity: true) }
    if bits.count != batch.tables.count { bits = batch.tables.map { _ in [] } }
    for table in bits.indices {
      bits[table].removeAll(keepingCapacity: true)
      bits[table].append(contentsOf: repeatElement(0, count: (batch.tables[table].rows.count + 63) / 64))
    }
  }

  func note(_ row: Int, of table: Int) {
    if table < bits.count { bits[table][row / 64] |= 1 << UInt64(row % 64) }
  }

  func contains(_ row: RowReference) -> Bool {
    guard row.table >= 0, Int(row.table) < bits.count else { return false }
    return bits[Int(row.table)][Int(row.row) / 64] & 1 << UInt64(row.row % 64) != 0
  }
}
