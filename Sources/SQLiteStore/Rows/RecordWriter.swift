import Records
import Store

/// Rows of a record with a key: each is inserted, changes the stored one, or leaves it alone.
final class RecordWriter: TableWriter {
  let sql: TableSQL
  let memory: BodyMemory
  private let table: Int
  private let scope: BodyScope
  private let rows: RowWriter
  private let stays: StayingRows
  private let tombstones: TombstoneWriter
  private let unique: UniqueIndexes?
  private let find: LazyStatement
  /// What the last row holds in the columns of `track: true`, when others than this writer change rows.
  private(set) var tracking: TrackingCells?
  /// Others change the rows too: all bodies are followed.
  let isShared: Bool
  private let isSwept: Bool
  private let newRows: NewRows
  /// New rows mostly come together, and so do known ones: the last row says what to try first.
  private var expectsNew = false

  /// `hasMembers` says that rows get parents by a membership.
  init(
    _ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope, hasMembers: Bool, newRows: NewRows
  ) {
    self.sql = sql
    self.newRows = newRows
    self.scope = scope
    isSwept = scope.orphans?.follows(index) ?? false
    isShared = hasMembers || isSwept
    table = index
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index, scope: scope)
    memory.notesReceipts = isShared
    stays = StayingRows(sql)
    unique = UniqueIndexes(sql.shape, table: index)
    tombstones = TombstoneWriter(connection, sql, index: index, memory: memory, scope: scope)
    tracking = isShared && !sql.shape.tracking.isEmpty ? TrackingCells(sql.shape.tracking) : nil
    find = LazyStatement(sql.find, on: connection)
    if isSwept { scope.orphans?.follow(memory, of: index) }
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    if isTracked || isShared { try memory.open() }
    for row in range {
      let base = row * table.columnCount
      if table.rows[row].isShield {
        try passOver(row, of: table)
      } else if table.rows[row].isTombstone {
        try tombstones.write(table.cells, at: base, &outcome)
      } else if expectsNew, try insert(table.cells, base) {
        newRows.note(row, of: self.table)
        outcome.inserted += 1
      } else {
        do throws(StoreError) {
          try write(row, of: table, verdicts, &outcome)
        } catch {
          guard let unique else { throw error }
          try unique.reject(row, for: error, verdicts)
          try passOver(row, of: table)
        }
      }
    }
    if tracking != nil, let last = range.last { tracking?.keep(table.cells, at: last * table.columnCount) }
  }

  private func write(
    _ row: Int, of table: TableRows, _ verdicts: RowVerdicts?, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    let (find, base) = (try find.prepared(), row * table.columnCount)
    for (parameter, column) in sql.shape.primaryKey.enumerated() {
      try find.bind(table.cells[base + column], at: parameter)
    }
    guard try find.step() else {
      try noteInsertion(of: rows.insertNew(table.cells, at: base))
      newRows.note(row, of: self.table)
      outcome.inserted += 1
      expectsNew = true
      return
    }
    expectsNew = false
    defer { find.reset() }
    let number = find.integer(0)
    if stays.isUsed, try stays.stays(number, memory, table.cells, at: base, as: find) {
      verdicts?.skip(RowReference(table: self.table, row: row))
      try memory.noteReceipt(of: number, isSkipped: true)
      return outcome.skipped += 1
    }
    guard rows.differs(table.cells, at: base, from: find, first: 1, isWhole: false) else {
      try memory.noteReceipt(of: number)
      return outcome.unchanged += 1
    }
    if memory.isOpen { try memory.keepImage(of: number) }
    try scope.willUpdate(number, of: self.table, by: rows, with: table.cells, at: base)
    try rows.update(number, with: table.cells, at: base, stored: find, first: 1)
    try memory.noteReceipt(of: number)
    if memory.isOpen { outcome.unchanged += 1 } else { outcome.updated += 1 }
  }

  /// A row that is not applied still says that the stored one is there.
  func passOver(_ row: Int, of table: TableRows) throws(StoreError) {
    guard isSwept, !table.rows[row].isTombstone else { return }
    try memory.open()
    let find = try find.prepared()
    for (parameter, column) in sql.shape.primaryKey.enumerated() {
      try find.bind(table.cells[row * table.columnCount + column], at: parameter)
    }
    if try find.step() { try memory.noteReceipt(of: find.integer(0), isSkipped: true) }
    find.reset()
  }

  private func insert(_ cells: [Cell], _ base: Int) throws(StoreError) -> Bool {
    let number: Int64?
    do throws(StoreError) {
      number = try rows.insert(cells, at: base)
    } catch {
      // Whether the row of that key is there decides what it breaks.
      guard let unique, unique.isBreach(error) else { throw error }
      return false
    }
    guard let number else { return false }
    try noteInsertion(of: number)
    return true
  }

  private func noteInsertion(of number: Int64) throws(StoreError) {
    if memory.isOpen { try memory.noteInsertion(of: number) }
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) { try memory.settle(&outcome) }

  func closeBody() throws(StoreError) { try memory.close() }

  func forget() { memory.forget() }
}
