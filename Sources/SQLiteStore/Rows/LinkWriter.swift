import Records
import Store

/// Links between rows with keys: survivors stay, at their new position; what the list does not name goes.
final class LinkWriter: TableWriter {
  private let sql: TableSQL
  private let rows: RowWriter
  private let memory: BodyMemory
  private let scope: BodyScope
  private let newRows: NewRows
  /// Nothing but this run's links are there, and none without its parent.
  private let beganEmpty: Bool
  /// The latest parent that had a list in this body.
  private var latest = RowReference.none
  private let table: Int
  private let ends: [(check: ParentCheck, columns: [Int])]
  private let list: LazyStatement
  private let find: LazyStatement
  private let delete: LazyStatement
  /// Stored links that the list at hand names.
  private let named: RowNumberSet
  /// Links of rejected elements.
  private var kept: [Int64] = []
  private var surplus: [Int64] = []
  /// The cells of a link that gets another position.
  private var added: [Cell] = []
  /// The child's key, in the order of the table's columns.
  private let childKey: [Int]
  private let position: Int
  /// Where the values begin in what `list` gives.
  private let firstValue: Int

  init(
    _ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope, newRows: NewRows,
    surroundings: Surroundings
  ) throws(StoreError) {
    guard let position = sql.shape.position else { preconditionFailure("a link table has a position") }
    self.sql = sql
    self.scope = scope
    self.newRows = newRows
    beganEmpty =
      try !connection.prepare(sql.any).step() && !surroundings.hasTriggers && surroundings.refersToParent(sql.shape)
    table = index
    ends = sql.shape.foreignKeys.map { (ParentCheck(connection, $0), $0.columns) }
    self.position = position
    childKey = sql.ownKey
    firstValue = 1 + childKey.count
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index, scope: scope)
    list = LazyStatement(sql.list, on: connection)
    find = LazyStatement(sql.find, on: connection)
    delete = LazyStatement(sql.delete, on: connection)
    named = RowNumberSet()
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    if isTracked { try memory.open() }
    latest = .none
    for list in lists {
      if isOfNewParent(table.lists[list]) {
        try insert(table.lists[list].rows, of: table)
      } else if try !isAsStored(list, of: table) {
        try apply(list, of: table)
      }
    }
  }

  /// Nothing is stored of the parent yet, neither by this run nor by others.
  private func isOfNewParent(_ list: ListStatement) -> Bool {
    let isFirst = (latest.table, latest.row) < (list.parent.table, list.parent.row)
    latest = list.parent
    return isFirst && beganEmpty && !list.isPartial && !scope.hasDeletions && newRows.contains(list.parent)
  }

  /// The first position counts of a row that is named twice.
  private func insert(_ list: Range<Int>, of table: TableRows) throws(StoreError) {
    for row in list where !table.rows[row].isShield {
      guard let number = try rows.insert(table.cells, at: row * table.columnCount) else { continue }
      if memory.isOpen { try memory.noteInsertion(of: number) }
    }
  }

  /// Whether the stored links are the list's, one by one: then there is nothing to do. It may say no without need.
  private func isAsStored(_ index: Int, of table: TableRows) throws(StoreError) -> Bool {
    // Links that wait for deletion are still there.
    if memory.hasSurplus || table.lists[index].isPartial { return false }
    let stored = try stored(index, of: table)
    defer { stored.reset() }
    for row in table.lists[index].rows {
      let base = row * table.columnCount
      guard !table.rows[row].isShield, try stored.step() else { return false }
      for (place, column) in childKey.enumerated() {
        guard stored.holds(table.cells[base + column], in: 1 + place, isReal: false) else { return false }
      }
      if rows.differs(table.cells, at: base, from: stored, first: firstValue, isWhole: true) { return false }
    }
    return try !stored.step()
  }

  private func stored(_ index: Int, of table: TableRows) throws(StoreError) -> Statement {
    let stored = try list.prepared()
    for (parameter, cell) in table.parentKey(ofList: index).enumerated() { try stored.bind(cell, at: parameter) }
    return stored
  }

  private func apply(_ index: Int, of table: TableRows) throws(StoreError) {
    let list = table.lists[index].rows
    kept.removeAll(keepingCapacity: true)
    // Before anything moves: what is rejected may be known by its position only.
    for row in list where table.rows[row].isShield { try protect(row, list: index, of: table) }
    if table.lists[index].isPartial { return try add(list, to: index, of: table) }
    for row in list where !table.rows[row].isShield { try write(row, of: table) }
    for number in kept {
      try named.insert(number)
      try memory.noteUse(of: number)
    }
    try removeSurplus(index, of: table)
    named.removeAll()
  }

  /// Adds what is not there yet, after the largest position.
  private func add(_ list: Range<Int>, to index: Int, of table: TableRows) throws(StoreError) {
    var next: Int64?
    for number in kept { try memory.noteUse(of: number) }
    for row in list where !table.rows[row].isShield {
      let stored = try find(row, of: table)
      defer { stored?.reset() }
      if let stored, try !memory.isSurplus(stored.integer(0)) { continue }
      let place: Int64
      if let next { place = next } else { place = try nextPosition(index, of: table) }
      next = place + 1
      added.replaceSubrange(0..., with: table.row(row))
      added[position] = .integer(place)
      if let stored {
        // An earlier list of the body has taken it away: it is a new one.
        let number = stored.integer(0)
        try memory.noteUse(of: number)
        guard rows.differs(added, at: 0, from: stored, first: 1, isWhole: true) else { continue }
        try rows.update(number, with: added, at: 0, stored: stored, first: 1)
      } else if try hasEnds(added, at: 0) {
        let number = try rows.insertNew(added, at: 0)
        if memory.isOpen { try memory.noteInsertion(of: number) }
      }
    }
  }

  private func nextPosition(_ index: Int, of table: TableRows) throws(StoreError) -> Int64 {
    let stored = try stored(index, of: table)
    guard let place = sql.values.firstIndex(of: position) else { preconditionFailure("a position is no key of a link") }
    var next: Int64 = 0
    while try stored.step() {
      if try !memory.isSurplus(stored.integer(0)) { next = max(next, stored.integer(firstValue + place) + 1) }
    }
    return next
  }

  /// Whether both rows are there that the link would join.
  private func hasEnds(_ cells: [Cell], at base: Int) throws(StoreError) -> Bool {
    guard scope.hasDeletions else { return true }
    for end in ends {
      if try !end.check.exists(end.columns.map { cells[base + $0] }) { return false }
    }
    return true
  }

  private func write(_ row: Int, of table: TableRows) throws(StoreError) {
    let base = row * table.columnCount
    guard let stored = try find(row, of: table) else {
      guard try hasEnds(table.cells, at: base) else { return }
      let number = try rows.insertNew(table.cells, at: base)
      if memory.isOpen { try memory.noteInsertion(of: number) }
      return try named.insert(number)
    }
    defer { stored.reset() }
    let number = stored.integer(0)
    // Named before: the first position counts.
    if try named.contains(number) { return }
    try named.insert(number)
    try memory.noteUse(of: number)
    if rows.differs(table.cells, at: base, from: stored, first: 1, isWhole: true) {
      try rows.update(number, with: table.cells, at: base, stored: stored, first: 1)
    }
  }

  /// Keeps the link of a rejected element: the one of its key, or, when its key is unknown, the one at its position.
  private func protect(_ row: Int, list: Int, of table: TableRows) throws(StoreError) {
    let base = row * table.columnCount
    if childKey.allSatisfy({ table.cells[base + $0].isPresent }) {
      guard let stored = try find(row, of: table) else { return }
      defer { stored.reset() }
      return kept.append(stored.integer(0))
    }
    let stored = try stored(list, of: table)
    defer { stored.reset() }
    guard let place = sql.values.firstIndex(of: position) else { preconditionFailure("a position is no key of a link") }
    while try stored.step() {
      if stored.holds(table.cells[base + position], in: firstValue + place, isReal: false) {
        kept.append(stored.integer(0))
      }
    }
  }

  /// The stored link of the row's key, or nil.
  private func find(_ row: Int, of table: TableRows) throws(StoreError) -> Statement? {
    let find = try find.prepared()
    for (parameter, column) in sql.shape.primaryKey.enumerated() {
      try find.bind(table.cells[row * table.columnCount + column], at: parameter)
    }
    return try find.step() ? find : nil
  }

  private func removeSurplus(_ index: Int, of table: TableRows) throws(StoreError) {
    surplus.removeAll(keepingCapacity: true)
    let stored = try stored(index, of: table)
    while try stored.step() {
      if try !named.contains(stored.integer(0)) { surplus.append(stored.integer(0)) }
    }
    let delete = try delete.prepared()
    for number in surplus {
      if table.lists[index].hasUnknown { try scope.orphans?.spareChildren(of: number, in: self.table) }
      if memory.isOpen {
        try memory.noteSurplus(number)
      } else {
        try scope.willDelete(number, from: self.table)
        try delete.bind(number, at: 0)
        try delete.run()
      }
    }
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) {
    // Links are not counted.
    try memory.settle(&outcome)
  }

  func closeBody() throws(StoreError) { try memory.close() }

  func forget() {
    memory.forget()
    named.removeAll()
  }
}
