import Records
import Store

/// `write: history`: each state of a record is a row of its own, from `valid_from` to `valid_to`.
///
/// While a body lasts, the current version is changed in place, like any row, and its first image is kept. At the end a
/// version that differs from its image becomes a new row, and the old one gets its image back, and an end. So several
/// changes in one body make one version.
final class HistoryWriter: TableWriter {
  private let sql: TableSQL
  private let table: Int
  private let rows: RowWriter
  private let memory: BodyMemory
  private let scope: BodyScope
  private let stays: StayingRows
  private let versions: VersionTable
  private var clock = VersionClock()
  /// When the versions of the body at hand begin.
  private var instant: [UInt8]?
  /// Current versions that a tombstone ends, unless the row comes again.
  private let ended: RowNumberSet
  /// A new row's cells.
  private var fresh: [Cell] = []
  private let arena = ByteArena()

  init(_ connection: Connection, _ sql: TableSQL, index: Int, scope: BodyScope) {
    self.sql = sql
    self.scope = scope
    table = index
    rows = RowWriter(connection, sql)
    memory = BodyMemory(connection, sql, index: index, scope: scope)
    stays = StayingRows(sql)
    versions = VersionTable(connection, sql)
    ended = RowNumberSet()
  }

  func write(
    _ table: TableRows, rows range: Range<Int>, lists: Range<Int>, isTracked: Bool, verdicts: RowVerdicts?,
    _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    try memory.open()
    for row in range where !table.rows[row].isShield {
      let current = try versions.current(of: table.cells, at: row * table.columnCount)
      defer { current?.reset() }
      if table.rows[row].isTombstone {
        if let current { try ended.insert(current.integer(0)) }
        outcome.unchanged += 1
      } else if let current {
        try write(row, of: table, over: current, verdicts, &outcome)
      } else {
        try insert(table.row(row), &outcome)
      }
    }
  }

  private func write(
    _ row: Int, of table: TableRows, over current: Statement, _ verdicts: RowVerdicts?, _ outcome: inout RecordOutcome
  ) throws(StoreError) {
    let (number, base) = (current.integer(0), row * table.columnCount)
    let isEnded = try ended.contains(number)
    if !isEnded, stays.isUsed, try stays.stays(number, memory, table.cells, at: base, as: current) {
      verdicts?.skip(RowReference(table: self.table, row: row))
      return outcome.skipped += 1
    }
    // What comes after a tombstone begins anew.
    if isEnded { try ended.remove(number) }
    outcome.unchanged += 1
    guard rows.differs(table.cells, at: base, from: current, first: 1, isWhole: isEnded) else { return }
    try memory.keepImage(of: number)
    try scope.willUpdate(number, of: self.table, by: rows, with: table.cells, at: base)
    try rows.update(number, with: table.cells, at: base, stored: current, first: 1)
  }

  private func insert(_ row: ArraySlice<Cell>, _ outcome: inout RecordOutcome) throws(StoreError) {
    fresh.replaceSubrange(0..., with: row)
    let start = try time(after: versions.latest(of: fresh, at: 0))
    fresh[versions.from] = unsafe .text(arena.copy(String(decoding: start, as: UTF8.self)))
    fresh[versions.to] = .null
    let number = try rows.insertNew(fresh, at: 0)
    arena.reset()
    try memory.noteInsertion(of: number)
    outcome.inserted += 1
  }

  /// The time of the body, or a later one when the key has a version that begins or ends after it: clocks go back.
  private func time(after earlier: [UInt8]) -> [UInt8] {
    let instant = instant ?? clock.next()
    self.instant = instant
    return earlier.lexicographicallyPrecedes(instant) ? instant : VersionClock.following(earlier)
  }

  func endBody(_ outcome: inout RecordOutcome) throws(StoreError) {
    guard memory.isOpen else { return }
    if scope.hasDeletions { try memory.images.clearDanglingReferences() }
    var updated = 0
    if memory.images.hasSome {
      try memory.images.forEach { image, row throws(StoreError) in
        guard let row else { return }
        if try end(row, image) { updated += 1 }
      }
      try memory.images.removeAll()
    }
    var lost = 0
    try ended.forEach { number throws(StoreError) in
      if try memory.hasInserted(number) {
        // The body brought the row and took it away: it has come to nothing.
        try versions.delete(number)
        lost += 1
      } else {
        try scope.willEnd(number, of: table)
        try versions.end(number, at: time(after: versions.start(of: number)))
        updated += 1
      }
    }
    ended.removeAll()
    outcome.inserted -= lost
    outcome.updated += updated
    outcome.unchanged += lost - updated
    instant = nil
  }

  /// Gives the version that the body began with its image back, and says whether it has ended.
  private func end(_ row: Statement, _ image: Statement) throws(StoreError) -> Bool {
    let number = row.integer(0)
    if memory.images.isEqual(image, row) {
      try versions.restore(number, from: image)
      return false
    }
    let isEnded = try ended.contains(number)
    try ended.remove(number)
    let instant = try time(after: versions.start(of: number))
    if !isEnded { try versions.copy(number, from: instant) }
    try versions.restore(number, from: image)
    try versions.end(number, at: instant)
    return true
  }

  func closeBody() throws(StoreError) { try memory.close() }

  func forget() {
    memory.forget()
    ended.removeAll()
    instant = nil
  }
}
