package import Records
package import Store

/// Rejected records that are mapped again.
extension SQLiteStore {
  package func keptReject(_ query: ArchiveQuery, after id: Int64) throws(StoreError) -> KeptReject? {
    let rows = try opened.prepare(
      """
      SELECT j.rowid, j.endpoint, j.source, j.record, j.pointer, j.field, j.reason, j.value, j.context, j.redacted
      FROM _ingest_rejects AS j JOIN _ingest_runs AS r ON r.run_id = j.run_id
      WHERE j.rowid > ?1 AND r.source = ?2 AND (?3 IS NULL OR j.endpoint = ?3) AND j.run_id < ?4
      ORDER BY j.rowid LIMIT 1
      """)
    try rows.bind(id, at: 0)
    try rows.bind(query.source, at: 1)
    try rows.bind(query.endpoint, at: 2)
    try rows.bind(runID, at: 3)
    guard try rows.step() else { return nil }
    var reject = KeptReject(
      id: rows.integer(0), endpoint: rows.text(1) ?? "", source: rows.text(2) ?? "", record: rows.text(3) ?? "",
      pointer: rows.text(4) ?? "", field: rows.text(5), reason: rows.text(6) ?? "",
      value: Array((rows.text(7) ?? "").utf8),
      context: rows.text(8))
    reject.isRedacted = rows.text(9).map { $0 == "1" }
    return reject
  }

  package func removeReject(_ id: Int64) throws(StoreError) {
    precondition(transactions.isOpen, "a reject goes together with the rows that it becomes")
    let statement = try opened.prepare("DELETE FROM _ingest_rejects WHERE rowid = ?1")
    try statement.bind(id, at: 0)
    try statement.run()
  }

  package func vanishedRecord(in batch: RecordBatch) throws(StoreError) -> String? {
    try prepared.sightings?.vanished(in: batch)
  }
}

extension Sightings {
  /// The record of the first row that no walk has seen and that is not there.
  fileprivate func vanished(in batch: RecordBatch) throws(StoreError) -> String? {
    for table in tables where table.isSwept {
      let rows = batch.tables[table.table]
      for (number, header) in rows.rows.enumerated() where !header.isShield && !header.isTombstone {
        guard try table.knows(rows.cells, at: number * rows.columnCount) else { return table.record }
      }
    }
    return nil
  }
}
