import Records
import Store

/// A row that a body has brought.
struct Sighting {
  /// JSON pointer of its record in the body.
  var pointer: String
  /// The record's JSON.
  var record: [UInt8]
  /// JSON object of the `$…` values that its mapping reads.
  var context: String?
  /// Of NDJSON.
  var line: Int?
  /// Nil: an update leaves the column alone.
  var value: StoredValue?
  /// The stored row is newer (`modified`), so that the body has brought nothing now; it may have before that one came.
  var isOlder: Bool
}

/// A store that keeps nothing but what bodies bring for one column of one row.
final class TracingStore: Store {
  /// Which row it is: columns of its table, and what they hold.
  private let table: Int
  private let wanted: [(column: Int, value: StoredValue)]
  /// The column; nil for one that no cell of the row fills.
  private let column: Int?
  /// REAL columns hold integers as reals.
  private let reals: Set<Int>
  /// In the order of the body.
  private(set) var sightings: [Sighting] = []
  private var outcomes: [String: RecordOutcome] = [:]
  private let schema: StoreSchema
  /// What the column of `modified` holds in the row of a table with that key.
  private let modified: (TableShape, [ColumnValues]) -> StoredValue?

  init(
    _ schema: StoreSchema, table: Int, wanted: [(column: Int, value: StoredValue)], column: Int?,
    modified: @escaping (TableShape, [ColumnValues]) -> StoredValue?
  ) {
    self.modified = modified
    self.schema = schema
    self.table = table
    self.wanted = wanted
    self.column = column
    let shape = schema.tables[table].shape
    reals = Set(shape.columns.indices.filter { shape.columns[$0].type == .real && !shape.columns[$0].takesAnyText })
  }

  var isComparing: Bool { column != nil }

  func forget() { sightings = [] }

  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {}
  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 { 0 }
  func begin() throws(StoreError) { outcomes = [:] }
  func beginWalk(_ walk: WalkScope) throws(StoreError) {}
  func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome { WalkOutcome() }
  func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {}
  func rollback() throws(StoreError) {}
  func record(_ error: ErrorEntry) throws(StoreError) {}
  func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError) {}
  func close() throws(StoreError) {}
  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] { Array(outcomes.values) }

  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    for (index, rows) in batch.tables.enumerated() {
      guard let record = schema.tables[index].record else { continue }
      outcomes[record, default: RecordOutcome(record: record)].inserted += rows.rows.count { !$0.isShield }
    }
    let rows = batch.tables[table]
    for (number, header) in rows.rows.enumerated() where !header.isShield && !header.isTombstone {
      guard wanted.allSatisfy({ value(rows, number, $0.column) == $0.value }) else { continue }
      let isOlder = !isTaken(RowReference(table: table, row: number), in: batch)
      note(header, value: column.flatMap { value(rows, number, $0) }, isOlder: isOlder, in: batch)
    }
  }

  /// Nil for a cell that a row leaves alone.
  private func value(_ rows: TableRows, _ row: Int, _ column: Int) -> StoredValue? {
    let cell = rows.cells[row * rows.columnCount + column]
    if cell.kind == .missing || cell.rule == .generatedKey { return nil }
    if cell.kind == .integer, reals.contains(column) { return .real(Double(cell.integerValue)) }
    return StoredValue(cell)
  }

  /// A row that was skipped, being older than the stored one, or that is nested in such a row, has brought nothing.
  private func isTaken(_ start: RowReference, in batch: RecordBatch) -> Bool {
    var reference = start
    // Ends: a row is nested in an earlier one.
    while reference.table >= 0 {
      let (table, row) = (Int(reference.table), Int(reference.row))
      let (shape, rows) = (schema.tables[table].shape, batch.tables[table])
      if let column = shape.modified, let own = value(rows, row, column), own != .null {
        let key = shape.primaryKey.map { index in
          ColumnValues(column: shape.columns[index].name, values: [value(rows, row, index) ?? .null])
        }
        if let stored = modified(shape, key), stored != .null, stored != own { return false }
      }
      reference = shape.role == .link ? parent(ofLink: row, in: rows) : rows.rows[row].parent
    }
    return true
  }

  /// A link's own reference leads to the element.
  private func parent(ofLink row: Int, in rows: TableRows) -> RowReference {
    rows.lists.first { $0.rows.contains(row) }?.parent ?? .none
  }

  private func note(_ header: RowHeader, value: StoredValue?, isOlder: Bool, in batch: RecordBatch) {
    var origin = header.origin
    // A link stands for the record that it leads to.
    if origin < 0, header.parent.table >= 0 {
      origin = batch.tables[Int(header.parent.table)].rows[Int(header.parent.row)].origin
    }
    guard origin >= 0 else { return }
    let found = batch.origins[Int(origin)]
    sightings.append(
      Sighting(
        pointer: found.pointer, record: found.value, context: found.context,
        line: batch.bodies[Int(header.body)].line, value: value, isOlder: isOlder))
  }
}
