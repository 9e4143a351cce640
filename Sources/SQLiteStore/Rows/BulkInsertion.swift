import CRowSource
import CSQLite
import Records
import Store

/// Inserts the rows of a stretch of bodies by one statement a table, when all of them are new: as they are in a first
/// load, and as most that come after one that was new.
///
/// One row that is there already, twice in the stretch, or refused, and all is undone and left to the writers, which
/// look at each row. Bodies with tombstones, rejected elements of lists, links or shared children are theirs from the
/// start.
final class BulkInsertion {
  /// More columns are not worth a table-valued function.
  private static let mostColumns = 500

  /// Fewer rows are not worth that all statements are prepared anew behind them.
  private let fewestRows: Int
  private let connection: Connection
  private let scope: BodyScope
  /// In the order in which they are written: a parent before its children.
  private let targets: [Target]
  /// No row refers to others than to its parent, which comes with it.
  private let canTrustReferences: Bool
  /// The last rows that were written one by one were new.
  private(set) var expectsNew = true

  private struct Target {
    let table: Int
    let shape: TableShape
    let insertion: LazyStatement
    /// Nil for rows without a key, which nobody follows.
    let memory: BodyMemory?
    /// The column whose values are the rows' numbers, which then need not come after all that were there.
    let number: Int?
  }

  /// How a writer follows its rows, when it inserts those that are not there and does nothing else with them.
  private enum Following {
    case by(BodyMemory)
    case none

    init?(_ writer: any TableWriter) {
      switch writer {
      case let writer as RecordWriter where !writer.isShared: self = .by(writer.memory)
      case let writer as ChildWriter where writer.beganEmpty: self = .by(writer.memory)
      case is AppendWriter: self = .none
      default: return nil
      }
    }

    var memory: BodyMemory? {
      if case .by(let memory) = self { memory } else { nil }
    }
  }

  /// Nil where the rows of some table depend on more than on whether they are there.
  init?(
    _ connection: Connection, _ tables: [TableSQL], _ writers: [any TableWriter], scope: BodyScope, applied: [Int],
    surroundings: Surroundings, fewestRows: Int
  ) throws(StoreError) {
    guard scope.orphans == nil, !surroundings.hasTriggers, !tables.isEmpty else { return nil }
    self.connection = connection
    self.scope = scope
    self.fewestRows = fewestRows
    var targets: [Target] = []
    for table in applied {
      let sql = tables[table]
      guard 1...Self.mostColumns ~= sql.shape.columns.count, let following = Following(writers[table]) else {
        return nil
      }
      let insertion = LazyStatement(sql.insertAll(from: Self.source(sql.shape.columns.count)), on: connection)
      targets.append(
        Target(
          table: table, shape: sql.shape, insertion: insertion, memory: following.memory,
          number: surroundings.number(of: sql.shape)))
    }
    self.targets = targets
    canTrustReferences = surroundings.leadOnlyToParents(tables.map(\.shape))
    for count in Set(targets.map(\.shape.columns.count)) { try register(columns: count) }
  }

  // MARK: rows as a table

  private static func source(_ columns: Int) -> String { "_ingest_rows_\(columns)" }

  /// What the cells' kinds are called in C; it lives as long as the process.
  private nonisolated(unsafe) static let codes: UnsafePointer<row_source_codes> = {
    let codes = UnsafeMutablePointer<row_source_codes>.allocate(capacity: 1)
    unsafe codes.initialize(
      to: row_source_codes(
        missing: Cell.Kind.missing.rawValue, null: Cell.Kind.null.rawValue, integer: Cell.Kind.integer.rawValue,
        real: Cell.Kind.real.rawValue, text: Cell.Kind.text.rawValue, bytes: Cell.Kind.bytes.rawValue,
        kept: Cell.Rule.keepIfEqual.rawValue))
    return unsafe UnsafePointer(codes)
  }()

  private func register(columns: Int) throws(StoreError) {
    let isSameLayout =
      MemoryLayout<Cell>.stride == MemoryLayout<row_source_cell>.stride
      && MemoryLayout<Cell>.alignment == MemoryLayout<row_source_cell>.alignment
      && MemoryLayout<Cell>.offset(of: \.payload) == MemoryLayout<row_source_cell>.offset(of: \.payload)
      && MemoryLayout<Cell>.offset(of: \.length) == MemoryLayout<row_source_cell>.offset(of: \.length)
      && MemoryLayout<Cell>.offset(of: \.kind) == MemoryLayout<row_source_cell>.offset(of: \.kind)
      && MemoryLayout<Cell>.offset(of: \.rule) == MemoryLayout<row_source_cell>.offset(of: \.rule)
    precondition(isSameLayout, "a cell is laid out in C as in Swift")
    let status = unsafe row_source_register(connection.handle, Self.source(columns), Int32(columns), Self.codes)
    guard status == SQLITE_OK else { throw connection.failure(status) }
  }

  // MARK: a stretch of bodies

  /// Inserts all rows, or none; after a failure that is no refusal the transaction is to be undone. `isFollowed` says that more of the same body came before, or may follow.
  func insert(
    _ parts: [BodyPart], of batch: RecordBatch, isFollowed: Bool, _ outcomes: inout [RecordOutcome]
  ) throws(StoreError) -> Bool {
    guard expectsNew, isWorthwhile(parts), !scope.hasDeletions, mayBeNew(parts, of: batch) else { return false }
    if isFollowed {
      for target in targets where !parts[target.table].isEmpty { try target.memory?.open() }
    }
    try connection.run("SAVEPOINT _ingest_bulk")
    let last =
      try canTrustReferences
      ? connection.withoutReferenceChecks { () throws(StoreError) in try insertAll(parts, of: batch) }
      : insertAll(parts, of: batch)
    guard let last, !isFollowed || areFollowed(parts, of: batch, endingAt: last) else {
      expectsNew = false
      try connection.run("ROLLBACK TO _ingest_bulk")
      try connection.run("RELEASE _ingest_bulk")
      return false
    }
    try connection.run("RELEASE _ingest_bulk")
    if isFollowed { try note(parts, of: batch) }
    for target in targets { outcomes[target.table].inserted += parts[target.table].rows.count }
    return true
  }

  /// Tells what became of rows that were written one by one.
  func noteOthers(rows: Int, inserted: Int) {
    if rows >= fewestRows { expectsNew = rows == inserted }
  }

  private func isWorthwhile(_ parts: [BodyPart]) -> Bool {
    parts.reduce(0) { $0 + $1.rows.count } >= fewestRows
  }

  /// The numbers of the last rows; nil where a row did not go in.
  private func insertAll(_ parts: [BodyPart], of batch: RecordBatch) throws(StoreError) -> [Int64]? {
    var last: [Int64] = []
    for target in targets {
      let rows = parts[target.table].rows
      do throws(StoreError) {
        if !rows.isEmpty { try run(target, rows, of: batch.tables[target.table]) }
      } catch {
        // Only what was refused can be tried in another way: a disk that fails may have undone all by itself.
        guard error.code == .constraint, connection.isInTransaction else { throw target.shape.placing(error) }
        return nil
      }
      guard rows.isEmpty || connection.changes == rows.count else { return nil }
      last.append(connection.lastInsertedRow)
    }
    return last
  }

  private func run(_ target: Target, _ rows: Range<Int>, of table: TableRows) throws(StoreError) {
    let insertion = try target.insertion.prepared()
    let cells = (rows.lowerBound * table.columnCount)..<(rows.upperBound * table.columnCount)
    try unsafe table.cells.withUnsafeBufferPointer { all throws(StoreError) in
      guard let start = all.baseAddress else { preconditionFailure("a table of rows has cells") }
      try unsafe (start + cells.lowerBound).withMemoryRebound(to: row_source_cell.self, capacity: cells.count) {
        first throws(StoreError) in
        var source = unsafe row_source_rows(cells: first, count: Int64(rows.count))
        try unsafe withUnsafeMutablePointer(to: &source) { source throws(StoreError) in
          try insertion.check(unsafe row_source_bind(insertion.handle, 1, source))
          // The rows are there for this statement alone.
          defer { unsafe sqlite3_clear_bindings(insertion.handle) }
          try insertion.run()
        }
      }
    }
  }

  /// Nothing in the rows themselves says that they are for the writers.
  private func mayBeNew(_ parts: [BodyPart], of batch: RecordBatch) -> Bool {
    targets.allSatisfy { target in
      let (part, table) = (parts[target.table], batch.tables[target.table])
      if part.hasTombstones || part.hasShields || target.memory?.hasSurplus ?? false { return false }
      if table.parentKeyCount > 0 { return areFirstLists(part.lists, of: table, rows: part.rows, among: parts) }
      for row in part.rows {
        let base = row * table.columnCount
        let isWhole = target.shape.primaryKey.allSatisfy { table.cells[base + $0].isPresent }
        precondition(isWhole, "a row without a key is rejected before it reaches the store")
      }
      return true
    }
  }

  /// Each parent is among the rows at hand, and says once what its children are.
  private func areFirstLists(
    _ lists: Range<Int>, of table: TableRows, rows: Range<Int>, among parts: [BodyPart]
  ) -> Bool {
    var (latest, covered) = (RowReference.none, 0)
    for index in lists {
      let parent = table.lists[index].parent
      guard (latest.table, latest.row) < (parent.table, parent.row), parts.indices.contains(Int(parent.table)),
        parts[Int(parent.table)].rows.contains(Int(parent.row))
      else { return false }
      latest = parent
      covered += table.lists[index].rows.count
    }
    return covered == rows.count
  }

  /// Whether it can be told which numbers the rows have.
  private func areFollowed(_ parts: [BodyPart], of batch: RecordBatch, endingAt last: [Int64]) -> Bool {
    zip(targets, last).allSatisfy { target, last in
      let (rows, table) = (parts[target.table].rows, batch.tables[target.table])
      guard let memory = target.memory, let row = rows.last else { return true }
      guard let number = target.number else { return memory.areBehind(rows.count, endingAt: last) }
      return table.cells[row * table.columnCount + number].integerValue == last
    }
  }

  /// Notes the rows of a body that goes on.
  private func note(_ parts: [BodyPart], of batch: RecordBatch) throws(StoreError) {
    for target in targets {
      let (rows, table) = (parts[target.table].rows, batch.tables[target.table])
      guard let memory = target.memory, !rows.isEmpty else { continue }
      guard let number = target.number else {
        memory.noteInsertions(rows.count)
        continue
      }
      for row in rows { try memory.noteInsertion(of: table.cells[row * table.columnCount + number].integerValue) }
    }
  }
}
