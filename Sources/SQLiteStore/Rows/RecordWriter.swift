import Records
import Store

/// Rows of a record with a key: each is inserted, changes the stored one, or leaves it alone.
final class RecordWriter: TableWriter {
  private let sql: TableSQL
  private let rows: RowWriter
  private let memory: BodyMemory
  private let find: LazyStatement
  /// New rows mostly come together, and so do known ones: the last row says what to try first.
  private var expectsNew = false

  init(_ connection: Connection, _ sql: TableSQL, index: Int) {
    self.sql = sql
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index)
    find = LazyStatement(sql.find, on: connection)
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    if isTracked { try memory.open() }
    let find = try find.prepared()
    for row in range {
      let base = row * table.columnCount
      if expectsNew, try insert(table.cells, base) {
        outcome.inserted += 1
        continue
      }
      for (parameter, column) in sql.shape.primaryKey.enumerated() {
        try find.bind(table.cells[base + column], at: parameter)
      }
      guard try find.step() else {
        try noteInsertion(of: rows.insertNew(table.cells, at: base))
        outcome.inserted += 1
        expectsNew = true
        continue
      }
      expectsNew = false
      defer { find.reset() }
      guard rows.differs(table.cells, at: base, from: find, first: 1, isWhole: false) else {
        outcome.unchanged += 1
        continue
      }
      let number = find.integer(0)
      if memory.isOpen { try memory.keepImage(of: number) }
      try rows.update(number, with: table.cells, at: base, stored: find, first: 1)
      if memory.isOpen { outcome.unchanged += 1 } else { outcome.updated += 1 }
    }
  }

  private func insert(_ cells: [Cell], _ base: Int) throws(StoreError) -> Bool {
    guard let number = try rows.insert(cells, at: base) else { return false }
    try noteInsertion(of: number)
    return true
  }

  private func noteInsertion(of number: Int64) throws(StoreError) {
    if memory.isOpen { try memory.noteInsertion(of: number) }
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) { try memory.settle(&outcome) }

  func forget() { memory.forget() }
}

/// Rows without a key: each is a new one.
final class AppendWriter: TableWriter {
  private let rows: RowWriter

  init(_ connection: Connection, _ sql: TableSQL) { rows = RowWriter(connection, sql) }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    for row in range {
      _ = try rows.insertNew(table.cells, at: row * table.columnCount)
      outcome.inserted += 1
    }
  }

  func endBody(_ outcome: inout RecordOutcome) {}

  func forget() {}
}
