import Records
import Store

/// Inserts rows of one table, and changes stored ones: only the columns that differ.
final class RowWriter {
  let sql: TableSQL
  private let connection: Connection
  private let insertion: LazyStatement
  /// By the set of changed columns.
  private var updates: [UInt64: Statement] = [:]
  private let fullUpdate: LazyStatement
  private let isReal: [Bool]
  /// What a comparison looks at, and what is written with it when there is a difference.
  private let compared: [(place: Int, column: Int)]
  private let tracking: [Int]
  /// For each column the foreign key that it is a part of: its columns are kept or cleared together.
  private let partners: [[Int]]
  /// Places in `sql.values` of what differs in the row at hand.
  private var changed: [Int] = []

  init(_ connection: Connection, _ sql: TableSQL) {
    self.connection = connection
    self.sql = sql
    insertion = LazyStatement(sql.insert, on: connection)
    fullUpdate = LazyStatement(sql.update(sql.values), on: connection)
    isReal = sql.shape.columns.map { $0.declaredType == "REAL" }
    compared = sql.compared.map { ($0, sql.values[$0]) }
    tracking = sql.tracking
    partners = sql.shape.columns.indices.map { column in
      sql.shape.foreignKeys.first { $0.columns.contains(column) && $0.onDelete == .setNull }?.columns ?? [column]
    }
  }

  /// The number of the new row; nil when one of that key is there. The row's cells begin at `base`.
  func insert(_ cells: [Cell], at base: Int) throws(StoreError) -> Int64? {
    let isWhole = sql.shape.primaryKey.allSatisfy { cells[base + $0].isPresent }
    precondition(isWhole, "a row without a key is rejected before it reaches the store")
    let statement = try insertion.prepared()
    for column in sql.shape.columns.indices {
      let cell = cells[base + column]
      try statement.bind(cell.rule == .keepIfEqual ? .null : cell, at: column)
    }
    try run(statement)
    return connection.changes == 0 ? nil : connection.lastInsertedRow
  }

  /// The same, of a row that is known not to be there.
  func insertNew(_ cells: [Cell], at base: Int) throws(StoreError) -> Int64 {
    if let number = try insert(cells, at: base) { return number }
    throw StoreError(.constraint, "a trigger of table '\(sql.shape.name)' keeps rows from being inserted")
  }

  /// Whether the row would change what `stored` shows, whose values begin at column `first`. A row that is written whole
  /// keeps nothing of it: what is missing becomes null, and a default is stored over what is there.
  func differs(_ cells: [Cell], at base: Int, from stored: Statement, first: Int, isWhole: Bool) -> Bool {
    changed.removeAll(keepingCapacity: true)
    for (place, column) in compared {
      let cell = cells[base + column]
      let isSame: Bool
      if cell.rule == .keepIfEqual {
        isSame = stored.isNull(first + place) || keeps(column, cells, base, stored, first)
      } else if !isWhole && (cell.kind == .missing || cell.rule == .onlyInsert) {
        isSame = true
      } else {
        isSame = stored.holds(cell, in: first + place, isReal: isReal[column])
      }
      if !isSame { changed.append(place) }
    }
    if changed.isEmpty { return false }
    changed.append(contentsOf: tracking)
    return true
  }

  /// Whether all columns of a foreign key hold what the row says of them.
  private func keeps(_ column: Int, _ cells: [Cell], _ base: Int, _ stored: Statement, _ first: Int) -> Bool {
    partners[column].allSatisfy { partner in
      guard let place = sql.values.firstIndex(of: partner) else { return true }
      return stored.holds(cells[base + partner], in: first + place, isReal: isReal[partner])
    }
  }

  /// What becomes of a reference to a single child.
  enum ReferenceChange {
    case stays
    /// It leads elsewhere, or nowhere.
    case goes
    /// It goes since a child was rejected whose key is not known: that may be the one that was there.
    case isUnknown
  }

  /// What `differs` has found of the columns of a foreign key.
  func change(of columns: [Int], to cells: [Cell], at base: Int) -> ReferenceChange {
    guard changed.contains(where: { columns.contains(sql.values[$0]) }) else { return .stays }
    let isUnknown = columns.contains { cells[base + $0].kind == .null && cells[base + $0].rule == .keepIfEqual }
    return isUnknown ? .isUnknown : .goes
  }

  /// Writes what `differs` has found. `stored` must still show the row.
  func update(_ number: Int64, with cells: [Cell], at base: Int, stored: Statement, first: Int) throws(StoreError) {
    // More columns than bits, or more patterns than are worth keeping: write all, the others as they are.
    let isFull = sql.values.count > 64
    let places = isFull ? Array(sql.values.indices) : changed
    let statement = try isFull ? fullUpdate.prepared() : update(of: places)
    for (parameter, place) in places.enumerated() {
      if isFull && !changed.contains(place) {
        try statement.bind(column: first + place, of: stored, at: parameter)
      } else {
        let cell = cells[base + sql.values[place]]
        try statement.bind(cell.rule == .keepIfEqual ? .null : cell, at: parameter)
      }
    }
    try statement.bind(number, at: places.count)
    try run(statement)
  }

  private func run(_ statement: Statement) throws(StoreError) {
    do throws(StoreError) {
      try statement.run()
    } catch {
      throw sql.shape.placing(error)
    }
  }

  private func update(of places: [Int]) throws(StoreError) -> Statement {
    var set: UInt64 = 0
    for place in places { set |= 1 << UInt64(place) }
    if let statement = updates[set] { return statement }
    if updates.count >= 32 { updates.removeAll(keepingCapacity: true) }
    let statement = try connection.prepare(sql.update(places.map { sql.values[$0] }))
    updates[set] = statement
    return statement
  }
}
