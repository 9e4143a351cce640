import Records
import Store

/// `write: replace` without a key: rows of a walk take the place of equal ones that the scope has, in document order,
/// and keep their `_id`; the others are new. What the scope has beyond them goes at the end of the walk.
final class ReplaceWriter: TableWriter {
  private let connection: Connection
  private let sql: TableSQL
  private let rows: RowWriter
  private let find: LazyStatement
  private let candidates: LazyStatement
  private let taking: LazyStatement
  private let addition: LazyStatement
  private let old: String
  /// Notes the walk's rows; nil where no walk is open, and then each row is a new one.
  private var sighted: SightedTable?
  private var scope: Int64 = 0
  /// The scope's rows are in the TEMP table, by what is in them.
  private var isLoaded = false
  private let isReal: [Bool]
  private let index: Int
  private let keys: GeneratedKeys?
  private let unique: UniqueIndexes?

  init(_ connection: Connection, _ sql: TableSQL, index: Int, keys: GeneratedKeys?) {
    self.index = index
    self.keys = keys
    self.connection = connection
    self.sql = sql
    rows = RowWriter(connection, sql)
    unique = UniqueIndexes(sql.shape, table: index)
    old = "temp.\(Identifier.quoted("_ingest_old_\(index)"))"
    isReal = sql.shape.columns.map { $0.declaredType == "REAL" }
    find = LazyStatement(
      "SELECT \(sql.numbered(sql.values)) FROM \(sql.table) WHERE \(sql.rowNumber) = ?", on: connection)
    candidates = LazyStatement("SELECT id FROM \(old) WHERE hash = ?1 ORDER BY id", on: connection)
    taking = LazyStatement("DELETE FROM \(old) WHERE hash = ?1 AND id = ?2", on: connection)
    addition = LazyStatement("INSERT INTO \(old) VALUES (?1, ?2)", on: connection)
  }

  func open(_ sighted: SightedTable, scope: Int64) throws(StoreError) {
    try connection.run(
      "CREATE TABLE IF NOT EXISTS \(old) (hash INTEGER, id INTEGER, PRIMARY KEY (hash, id)) WITHOUT ROWID")
    try connection.run("DELETE FROM \(old)")
    self.sighted = sighted
    self.scope = scope
    isLoaded = false
  }

  func close() throws(StoreError) {
    guard sighted != nil else { return }
    sighted = nil
    try connection.run("DELETE FROM \(old)")
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    try load()
    for row in range where !table.rows[row].isShield {
      let base = row * table.columnCount
      if let sighted, let number = try take(table.cells, at: base) {
        try sighted.note(number)
        keys?.note(number, row: row, of: index)
        outcome.unchanged += 1
      } else {
        try insert(row, of: table, verdicts, &outcome)
      }
    }
  }

  private func insert(
    _ row: Int, of table: TableRows, _ verdicts: RowVerdicts?, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    let number: Int64
    do throws(StoreError) {
      number = try rows.insertNew(table.cells, at: row * table.columnCount)
    } catch {
      guard let unique else { throw error }
      return try unique.reject(row, for: error, verdicts)
    }
    try sighted?.note(number)
    keys?.note(number, row: row, of: index)
    outcome.inserted += 1
  }

  /// The first stored row of the scope that is equal and that no row has taken yet.
  private func take(_ cells: [Cell], at base: Int) throws(StoreError) -> Int64? {
    let (hash, candidates, find) = (hash(of: cells, at: base), try candidates.prepared(), try find.prepared())
    try candidates.bind(hash, at: 0)
    defer { candidates.reset() }
    while try candidates.step() {
      let number = candidates.integer(0)
      try find.bind(number, at: 0)
      defer { find.reset() }
      guard try find.step(), !rows.differs(cells, at: base, from: find, first: 1, isWhole: true) else { continue }
      candidates.reset()
      let taking = try taking.prepared()
      try taking.bind(hash, at: 0)
      try taking.bind(number, at: 1)
      try taking.run()
      return number
    }
    return nil
  }

  private func load() throws(StoreError) {
    guard let sighted, !isLoaded else { return }
    isLoaded = true
    let stored = try connection.prepare(
      "SELECT \(sql.numbered(sql.values)) FROM \(sql.table) "
        + "WHERE \(sql.rowNumber) IN (SELECT m.k0 FROM \(sighted.stored) AS m WHERE m.scope = ?1)")
    try stored.bind(scope, at: 0)
    let addition = try addition.prepared()
    while try stored.step() {
      try addition.bind(hash(of: stored), at: 0)
      try addition.bind(stored.integer(0), at: 1)
      try addition.run()
    }
  }

  // MARK: equal rows have one hash

  private func hash(of cells: [Cell], at base: Int) -> Int64 {
    var hasher = Hasher()
    for place in sql.compared {
      let column = sql.values[place]
      let cell = cells[base + column]
      switch cell.kind {
      case .missing, .null: hasher.combine(0)
      case .integer where isReal[column]: hasher.combine(Double(cell.integerValue))
      case .integer: hasher.combine(cell.integerValue)
      case .real: hasher.combine(cell.realValue)
      case .text, .bytes: unsafe hasher.combine(bytes: cell.rawBytes)
      }
    }
    return Int64(hasher.finalize())
  }

  private func hash(of stored: Statement) -> Int64 {
    var hasher = Hasher()
    for place in sql.compared {
      let column = place + 1
      switch stored.kind(column) {
      case .missing, .null: hasher.combine(0)
      case .integer: hasher.combine(stored.integer(column))
      case .real: hasher.combine(stored.real(column))
      case .text, .bytes: unsafe stored.bytes(column).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      }
    }
    return Int64(hasher.finalize())
  }

  func endBody(_ outcome: inout RecordOutcome) {}

  func forget() { isLoaded = false }
}
