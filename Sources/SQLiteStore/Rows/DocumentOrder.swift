import Records
import Store

/// How far a batch has been applied in document order, and what was decided on the way.
final class DocumentOrder {
  let verdicts: RowVerdicts
  /// The next of `RecordBatch.order`.
  fileprivate var next = 0

  init(_ batch: RecordBatch) { verdicts = RowVerdicts(batch) }
}

extension RowSink {
  /// Applies the rows of one body in document order; see `RowVerdicts`.
  func write(
    _ parts: [BodyPart], of batch: RecordBatch, body: UInt32, in order: DocumentOrder, mayComeAgain: Bool
  ) throws(StoreError) {
    var nextList = parts.map(\.lists.lowerBound)
    func isTracked(_ table: Int) -> Bool {
      if rejected.mayChange(table) { return true }
      let statements = batch.tables[table].parentKeyCount == 0 ? parts[table].rows.count : parts[table].lists.count
      return mayComeAgain || statements > 1
    }
    while order.next < batch.order.count {
      let row = batch.order[order.next]
      let table = Int(row.table)
      guard parts[table].rows.contains(Int(row.row)) else { break }
      order.next += 1
      switch shapes[table].role {
      case .record: try write(row, of: batch, isTracked: isTracked(table), order.verdicts)
      case .onlyChild, .listChild:
        // All lists up to the one that the row stands in: those before it are empty.
        while nextList[table] < parts[table].lists.upperBound,
          batch.tables[table].lists[nextList[table]].rows.lowerBound <= Int(row.row)
        {
          try write(list: nextList[table], in: table, of: batch, isTracked: isTracked(table), order.verdicts)
          nextList[table] += 1
        }
      case .link, .membership: continue
      }
    }
    for table in applied {
      // Rows that are only named, not brought, are in no order.
      for row in parts[table].rows where shapes[table].role == .record && batch.tables[table].rows[row].isShield {
        try write(RowReference(table: table, row: row), of: batch, isTracked: isTracked(table), order.verdicts)
      }
      for list in nextList[table]..<parts[table].lists.upperBound {
        try write(list: list, in: table, of: batch, isTracked: isTracked(table), order.verdicts)
      }
    }
  }

  private func write(
    _ row: RowReference, of batch: RecordBatch, isTracked: Bool, _ verdicts: RowVerdicts
  ) throws(StoreError) {
    let (table, number) = (Int(row.table), Int(row.row))
    let verdict = verdicts.verdict(belowParent: batch.tables[table].rows[number].parent)
    guard verdict == .applied else { return try passOver(row, verdict, of: batch, verdicts) }
    try rejected.note(row, of: batch)
    keys?.resolve(batch, table: table, rows: number..<number + 1, lists: 0..<0)
    try writers[table].write(
      batch.tables[table], rows: number..<number + 1, lists: 0..<0, isTracked: isTracked, verdicts: verdicts,
      &outcomes[table])
    try rejected.settle(verdicts, of: batch, &outcomes)
  }

  private func write(
    list: Int, in table: Int, of batch: RecordBatch, isTracked: Bool, _ verdicts: RowVerdicts
  ) throws(StoreError) {
    let statement = batch.tables[table].lists[list]
    let verdict = verdicts.verdict(belowParent: statement.parent)
    guard verdict == .applied else {
      for row in statement.rows { try passOver(RowReference(table: table, row: row), verdict, of: batch, verdicts) }
      return
    }
    keys?.resolve(batch, table: table, rows: statement.rows, lists: list..<list + 1)
    let isAboutChildren = shapes[table].role == .link || shapes[table].role == .membership
    for row in statement.rows {
      if isAboutChildren {
        let child = batch.tables[table].rows[row].parent
        if child.table >= 0, verdicts[child] == .rejected { batch.tables[table].rows[row].isShield = true }
      } else {
        try rejected.note(RowReference(table: table, row: row), of: batch)
      }
    }
    try writers[table].write(
      batch.tables[table], rows: statement.rows, lists: list..<list + 1, isTracked: isTracked, verdicts: verdicts,
      &outcomes[table])
    try rejected.settle(verdicts, of: batch, &outcomes)
  }

  /// A row goes with the one that it is nested in.
  private func passOver(
    _ row: RowReference, _ verdict: RowVerdicts.Verdict, of batch: RecordBatch, _ verdicts: RowVerdicts
  ) throws(StoreError) {
    let table = Int(row.table)
    verdicts.decide(verdict, row)
    if verdict == .skipped { try writers[table].passOver(Int(row.row), of: batch.tables[table]) }
    // What the mapper rejected was counted there.
    guard isCounted[table], !batch.tables[table].rows[Int(row.row)].isShield else { return }
    if verdict == .skipped { outcomes[table].skipped += 1 } else { outcomes[table].notReceived += 1 }
  }
}
