import Records
import Store

/// Children without a key: one at most for each parent, or numbered ones.
///
/// The stored children of a parent and those that a list names are walked side by side, by position. What is equal is
/// not touched; what the list does not name goes.
final class ChildWriter: TableWriter {
  private let connection: Connection
  private let sql: TableSQL
  private let rows: RowWriter
  let memory: BodyMemory
  private let unique: UniqueIndexes?
  private let scope: BodyScope
  private let table: Int
  private let parent: ParentCheck
  private let list: LazyStatement
  private let delete: LazyStatement
  private let newRows: NewRows
  /// Nothing but this run's rows are there.
  let beganEmpty: Bool
  /// The latest parent that had a list in this body.
  private var latest: RowReference?
  /// Rows of the list at hand that are new, and numbers of stored ones that it does not name.
  private var fresh: [Int] = []
  private var surplus: [Int64] = []
  /// Rows of the list at hand that would break a unique index as things are.
  private var blocked: [(row: Int, breach: StoreError)] = []
  /// Where the values begin in what `list` gives.
  private let firstValue: Int

  init(_ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope, newRows: NewRows) throws(StoreError) {
    self.connection = connection
    self.sql = sql
    self.newRows = newRows
    unique = UniqueIndexes(sql.shape, table: index)
    self.scope = scope
    table = index
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index, scope: scope)
    parent = ParentCheck(connection, sql.shape.foreignKeys.first { $0.columns == sql.shape.parentKey })
    list = LazyStatement(sql.list, on: connection)
    beganEmpty = try !connection.prepare(sql.any).step()
    delete = LazyStatement(sql.delete, on: connection)
    firstValue = 1 + sql.ownKey.count
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    if isTracked { try memory.open() }
    latest = nil
    for list in lists { try apply(list, of: table, verdicts, &outcome) }
  }

  private func apply(
    _ index: Int, of table: TableRows, _ verdicts: RowVerdicts?, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    fresh.removeAll(keepingCapacity: true)
    surplus.removeAll(keepingCapacity: true)
    if scope.hasDeletions, try !parent.exists(table.parentKey(ofList: index)) {
      // The children have come to nothing with their parent.
      return outcome.unchanged += table.lists[index].rows.count { !table.rows[$0].isShield }
    }
    let (parent, named) = (table.lists[index].parent, table.lists[index].rows)
    checkOrder(named, in: table)
    if isFirstList(of: parent), beganEmpty, newRows.contains(parent) {
      fresh.append(contentsOf: named)
    } else {
      try compare(named, of: table, withListOf: table.parentKey(ofList: index), &outcome)
    }
    // A list that is not complete says nothing of those that it does not name.
    if !table.lists[index].isPartial { try removeSurplus() }
    try insertFresh(table, &outcome)
    if !blocked.isEmpty { try settleBlocked(index, of: table, verdicts, &outcome) }
  }

  /// Nothing that comes before it is of the same parent.
  private func isFirstList(of parent: RowReference) -> Bool {
    if let latest, (latest.table, latest.row) >= (parent.table, parent.row) { return false }
    latest = parent
    return true
  }

  /// Walks along the stored rows of a parent: what is named there too is compared, the rest of both is noted.
  private func compare(
    _ named: Range<Int>, of table: TableRows, withListOf parentKey: ArraySlice<Cell>, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    let stored = try list.prepared()
    for (parameter, cell) in parentKey.enumerated() { try stored.bind(cell, at: parameter) }
    var row = named.lowerBound
    let end = named.upperBound
    while try stored.step() {
      while row < end, let place = position(of: row, in: table), place < stored.integer(1) {
        fresh.append(row)
        row += 1
      }
      let isNamed = row < end && (position(of: row, in: table).map { $0 == stored.integer(1) } ?? true)
      if isNamed {
        try compare(row, of: table, with: stored, &outcome)
        row += 1
      } else {
        surplus.append(stored.integer(0))
      }
    }
    fresh.append(contentsOf: row..<end)
  }

  /// Nil where a parent has one child at most.
  private func position(of row: Int, in table: TableRows) -> Int64? {
    sql.shape.position.map { table.cells[row * table.columnCount + $0].integerValue }
  }

  private func checkOrder(_ list: Range<Int>, in table: TableRows) {
    let isInOrder = list.dropFirst().allSatisfy { row in
      guard let place = position(of: row, in: table), let before = position(of: row - 1, in: table) else {
        return false
      }
      return before < place
    }
    precondition(isInOrder, "the children of a list come in the order of their positions, a single child alone")
  }

  private func compare(
    _ row: Int, of table: TableRows, with stored: Statement, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    let number = stored.integer(0)
    let isNew = try memory.noteUse(of: number)
    if table.rows[row].isShield { return }
    let base = row * table.columnCount
    let isWhole = isNew || sql.shape.role == .listChild
    guard rows.differs(table.cells, at: base, from: stored, first: firstValue, isWhole: isWhole) else {
      return outcome.unchanged += 1
    }
    if memory.isOpen { try memory.keepImage(of: number) }
    try scope.willUpdate(number, of: self.table, by: rows, with: table.cells, at: base)
    // No column that orders the rows changes, so the walk goes on undisturbed.
    do throws(StoreError) {
      try rows.update(number, with: table.cells, at: base, stored: stored, first: firstValue)
    } catch {
      return try block(row, for: error)
    }
    if memory.isOpen { outcome.unchanged += 1 } else { outcome.updated += 1 }
  }

  private func removeSurplus() throws(StoreError) {
    guard !surplus.isEmpty else { return }
    let delete = try delete.prepared()
    for number in surplus {
      if memory.isOpen {
        try memory.noteSurplus(number)
      } else {
        try scope.willDelete(number, from: table)
        try delete.bind(number, at: 0)
        try delete.run()
      }
    }
  }

  private func insertFresh(_ table: TableRows, _ outcome: inout RecordOutcome) throws(StoreError) {
    for row in fresh where !table.rows[row].isShield {
      let number: Int64
      do throws(StoreError) {
        number = try rows.insertNew(table.cells, at: row * table.columnCount)
      } catch {
        try block(row, for: error)
        continue
      }
      if memory.isOpen { try memory.noteInsertion(of: number) }
      newRows.note(row, of: self.table)
      outcome.inserted += 1
    }
  }

  // MARK: unique indexes

  private func block(_ row: Int, for error: StoreError) throws(StoreError) {
    guard let unique, unique.isBreach(error) else { throw error }
    blocked.append((row, error))
  }

  /// A list is judged by what it comes to, not by the order of its rows: `[a, b]` may become `[b, a]`.
  private func settleBlocked(
    _ list: Int, of table: TableRows, _ verdicts: RowVerdicts?, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    defer { blocked.removeAll() }
    try retryBlocked(list, of: table, &outcome)
    if !blocked.isEmpty, memory.hasSurplus {
      try memory.dropSurplus(&outcome)
      try retryBlocked(list, of: table, &outcome)
    }
    if blocked.count > 1 { try exchangeBlocked(list, of: table, &outcome) }
    guard let unique else { return }
    for entry in blocked { try unique.reject(entry.row, for: entry.breach, verdicts) }
  }

  /// Writes the rows for which others have made room, as long as there are any.
  private func retryBlocked(
    _ list: Int, of table: TableRows, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    var count = blocked.count + 1
    while !blocked.isEmpty, blocked.count < count {
      let waiting = blocked
      count = waiting.count
      blocked.removeAll(keepingCapacity: true)
      for entry in waiting { try rewrite(entry.row, of: list, in: table, &outcome) }
    }
  }

  /// Rows that wait for one another: their old values go first. It is done for all, or not at all.
  private func exchangeBlocked(
    _ list: Int, of table: TableRows, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    guard let unique, !unique.columns.isEmpty else { return }
    let (waiting, before) = (blocked, outcome)
    try connection.run("SAVEPOINT _ingest_exchange")
    let clear = try connection.prepare(sql.clear(unique.columns))
    for entry in waiting {
      guard let stored = try stored(entry.row, of: list, in: table) else { continue }
      // A single child whose column is cleared here is not seen to go when the row is written.
      let (base, isWhole) = (entry.row * table.columnCount, sql.shape.role == .listChild)
      if rows.differs(table.cells, at: base, from: stored, first: firstValue, isWhole: isWhole) {
        try scope.willUpdate(stored.integer(0), of: self.table, by: rows, with: table.cells, at: base)
      }
      try clear.bind(stored.integer(0), at: 0)
      stored.reset()
      try clear.run()
    }
    blocked.removeAll(keepingCapacity: true)
    for entry in waiting where blocked.isEmpty { try rewrite(entry.row, of: list, in: table, &outcome) }
    if !blocked.isEmpty {
      try connection.run("ROLLBACK TO _ingest_exchange")
      (blocked, outcome) = (waiting, before)
    }
    try connection.run("RELEASE _ingest_exchange")
  }

  private func rewrite(
    _ row: Int, of list: Int, in table: TableRows, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    guard let stored = try stored(row, of: list, in: table) else {
      fresh = [row]
      return try insertFresh(table, &outcome)
    }
    defer { stored.reset() }
    try compare(row, of: table, with: stored, &outcome)
  }

  /// The stored row at the row's position.
  private func stored(_ row: Int, of index: Int, in table: TableRows) throws(StoreError) -> Statement? {
    let stored = try list.prepared()
    for (parameter, cell) in table.parentKey(ofList: index).enumerated() { try stored.bind(cell, at: parameter) }
    while try stored.step() {
      guard let place = position(of: row, in: table), place != stored.integer(1) else { return stored }
    }
    return nil
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) { try memory.settle(&outcome) }

  func closeBody() throws(StoreError) { try memory.close() }

  func forget() { memory.forget() }
}
