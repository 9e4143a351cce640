import Records
import Store

/// Children without a key: one at most for each parent, or numbered ones.
///
/// The stored children of a parent and those that a list names are walked side by side, by position. What is equal is
/// not touched; what the list does not name goes.
final class ChildWriter: TableWriter {
  private let sql: TableSQL
  private let rows: RowWriter
  let memory: BodyMemory
  private let scope: BodyScope
  private let table: Int
  private let parent: ParentCheck
  private let list: LazyStatement
  private let delete: LazyStatement
  /// Rows of the list at hand that are new, and numbers of stored ones that it does not name.
  private var fresh: [Int] = []
  private var surplus: [Int64] = []
  /// Where the values begin in what `list` gives.
  private let firstValue: Int

  init(_ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope) {
    self.sql = sql
    self.scope = scope
    table = index
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index, scope: scope)
    parent = ParentCheck(connection, sql.shape.foreignKeys.first { $0.columns == sql.shape.parentKey })
    list = LazyStatement(sql.list, on: connection)
    delete = LazyStatement(sql.delete, on: connection)
    firstValue = 1 + sql.ownKey.count
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    if isTracked { try memory.open() }
    for list in lists { try apply(list, of: table, &outcome) }
  }

  private func apply(
    _ index: Int, of table: TableRows, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    fresh.removeAll(keepingCapacity: true)
    surplus.removeAll(keepingCapacity: true)
    if scope.hasDeletions, try !parent.exists(table.parentKey(ofList: index)) {
      // The children have come to nothing with their parent.
      return outcome.unchanged += table.lists[index].rows.count { !table.rows[$0].isShield }
    }
    let stored = try list.prepared()
    for (parameter, cell) in table.parentKey(ofList: index).enumerated() { try stored.bind(cell, at: parameter) }
    var row = table.lists[index].rows.lowerBound
    let end = table.lists[index].rows.upperBound
    checkOrder(table.lists[index].rows, in: table)
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
    // A list that is not complete says nothing of those that it does not name.
    if !table.lists[index].isPartial { try removeSurplus() }
    try insertFresh(table, &outcome)
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
    // No column that orders the rows changes, so the walk goes on undisturbed.
    try rows.update(number, with: table.cells, at: base, stored: stored, first: firstValue)
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
      let number = try rows.insertNew(table.cells, at: row * table.columnCount)
      if memory.isOpen { try memory.noteInsertion(of: number) }
      outcome.inserted += 1
    }
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) { try memory.settle(&outcome) }

  func closeBody() throws(StoreError) { try memory.close() }

  func forget() { memory.forget() }
}
