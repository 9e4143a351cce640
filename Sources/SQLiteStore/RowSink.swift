import Records
import Store

/// All tables of a mapping, and what became of the rows of the transaction at hand.
final class RowSink {
  let writers: [any TableWriter]
  /// Whether the rows of a table are counted: those of links are not.
  let isCounted: [Bool]
  let shapes: [TableShape]
  /// What became of each table's rows.
  var outcomes: [RecordOutcome]
  /// Whether the last body of the batch before goes on.
  private var isBodyOpen = false

  let rejected: RejectedRows
  /// Nil where no row refers to a generated key.
  let keys: GeneratedKeys?
  private let scope: BodyScope
  private let newRows: NewRows
  /// Nil where each row has to be looked at.
  private let bulk: BulkInsertion?
  /// Nil for a schema whose walks remove nothing.
  let sightings: Sightings?
  /// The tables in the order in which a body is applied: memberships are about rows of other tables, which come first.
  let applied: [Int]

  init(_ connection: Connection, _ schema: StoreSchema, fewestNewRows: Int) throws(StoreError) {
    let reader = SchemaReader(connection: connection)
    var tables: [TableSQL] = []
    for table in schema.tables {
      let stored = try reader.table(table.shape.name)
      tables.append(try TableSQL(table.shape, storedColumns: Set(stored?.columns.map(\.name) ?? [])))
    }
    scope = BodyScope(orphans: OrphanSweep(connection, tables))
    keys = GeneratedKeys(schema.tables.map(\.shape))
    let surroundings = try Surroundings(connection)
    let made = try TableWriters(connection, tables, scope, keys, surroundings)
    let writers = made.all
    (self.writers, newRows) = (writers, made.newRows)
    sightings = try Sightings(connection, schema, tables, scope)
    shapes = schema.tables.map(\.shape)
    let shapes = shapes
    rejected = RejectedRows(connection, tables)
    let applied =
      shapes.indices.filter { shapes[$0].role != .membership }
      + shapes.indices.filter { shapes[$0].role == .membership }
    self.applied = applied
    bulk =
      try keys == nil
      ? BulkInsertion(
        connection, tables, writers, scope: scope, applied: applied, surroundings: surroundings,
        fewestRows: fewestNewRows) : nil
    isCounted = schema.tables.map { $0.record != nil }
    outcomes = schema.tables.map { RecordOutcome(record: $0.record ?? $0.shape.name) }
  }

  func begin() {
    outcomes.removeSubrange(writers.count...)
    for index in outcomes.indices { outcomes[index] = RecordOutcome(record: outcomes[index].record) }
  }

  /// Applies a batch body by body, since what a body does can undo what the one before it did.
  ///
  /// Rows of a batch that comes with its document order are applied in that order, others table by table.
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    let order = batch.order.isEmpty ? nil : DocumentOrder(batch)
    if order != nil { rejected.beginBatch() }
    keys?.beginBatch()
    newRows.begin(order == nil ? batch : nil)
    var next = batch.tables.map { _ in BodyPart(rows: 0..<0, lists: 0..<0) }
    var body = 0
    while body < batch.bodies.count {
      let end = order == nil ? endOfStretch(from: body, of: batch, endsBody: endsBody) : body + 1
      if order == nil, try insertNew(&next, of: batch, bodies: body..<end, endsBody: endsBody) {
        body = end
        continue
      }
      let before = outcomes.reduce(0) { $0 + $1.inserted }
      let first = next
      while body < end {
        for index in next.indices { next[index] = batch.tables[index].part(after: next[index], through: body) }
        // A tombstone takes away what the body may have said before.
        let endsHere = body < batch.bodies.count - 1 || endsBody
        let mayComeAgain = isBodyOpen || !endsHere || next.contains(where: \.hasTombstones)
        if let order {
          try write(next, of: batch, body: UInt32(body), in: order, mayComeAgain: mayComeAgain)
        } else {
          try write(next, of: batch, mayComeAgain: mayComeAgain)
        }
        try sightings?.note(next, of: batch, order?.verdicts)
        isBodyOpen = !endsHere
        if endsHere { try endBody() }
        body += 1
      }
      let rows = zip(first, next).reduce(0) { $0 + $1.1.rows.upperBound - $1.0.rows.upperBound }
      bulk?.noteOthers(rows: rows, inserted: outcomes.reduce(0) { $0 + $1.inserted } - before)
    }
    let isWhole = zip(next, batch.tables).allSatisfy {
      $0.rows.upperBound == $1.rows.count && $0.lists.upperBound == $1.lists.count
    }
    precondition(isWhole, "the rows and lists of a batch come body by body")
  }

  /// Bodies that are whole in the batch go together; one that began before it, or goes on behind it, is for itself.
  private func endOfStretch(from body: Int, of batch: RecordBatch, endsBody: Bool) -> Int {
    let end = batch.bodies.count
    if isBodyOpen { return body + 1 }
    return endsBody || body == end - 1 ? end : end - 1
  }

  /// Inserts all rows of a stretch of bodies, when they are new and many, and moves `parts` there; else does nothing.
  private func insertNew(
    _ parts: inout [BodyPart], of batch: RecordBatch, bodies: Range<Int>, endsBody: Bool
  ) throws(StoreError) -> Bool {
    guard let bulk, bulk.expectsNew else { return false }
    var stretch = parts
    for index in stretch.indices {
      stretch[index] = batch.tables[index].part(after: parts[index], through: bodies.upperBound - 1)
    }
    let goesOn = bodies.upperBound == batch.bodies.count && !endsBody
    guard try bulk.insert(stretch, of: batch, isFollowed: isBodyOpen || goesOn, &outcomes) else { return false }
    parts = stretch
    try sightings?.note(parts, of: batch, nil)
    // Bodies that are whole have left nothing to be settled.
    if isBodyOpen, !goesOn { try endBody() }
    isBodyOpen = goesOn
    return true
  }

  private func write(_ parts: [BodyPart], of batch: RecordBatch, mayComeAgain: Bool) throws(StoreError) {
    for index in applied {
      keys?.resolve(batch, table: index, rows: parts[index].rows, lists: parts[index].lists)
      let (table, part) = (batch.tables[index], parts[index])
      let statements = table.parentKeyCount == 0 ? part.rows.count : part.lists.count
      guard statements > 0 else { continue }
      try writers[index].write(
        table, rows: part.rows, lists: part.lists, isTracked: mayComeAgain || statements > 1, verdicts: nil,
        &outcomes[index])
    }
  }

  private func endBody() throws(StoreError) {
    for index in writers.indices { try writers[index].endBody(&outcomes[index]) }
    try scope.endBody()
    for writer in writers { try writer.closeBody() }
  }

  /// Ends the last body, and gives the counts of all records that were received or have an outcome.
  func settle(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordCounts] {
    if isBodyOpen { try endBody() }
    isBodyOpen = false
    var counts: [RecordCounts] = []
    var places: [[UInt8]] = []
    func place(of record: String) -> Int {
      let name = Array(record.utf8)
      if let place = places.firstIndex(of: name) { return place }
      places.append(name)
      counts.append(RecordCounts(record: record))
      return places.count - 1
    }
    for entry in received { counts[place(of: entry.record)].received.add(entry) }
    for (index, outcome) in outcomes.enumerated()
    where (index >= isCounted.count || isCounted[index]) && outcome.isSomething {
      counts[place(of: outcome.record)].outcome.add(outcome)
    }
    return counts
  }

  /// Starts a walk, outside of any transaction.
  func openWalk(_ walk: WalkScope, source: String) throws(StoreError) {
    guard let sightings else { return }
    let number = try sightings.open(walk, source: source)
    for case let (index, writer as ReplaceWriter) in writers.enumerated() {
      guard let table = sightings.table(index) else { continue }
      try writer.open(table, scope: number)
    }
  }

  func closeWalk() throws(StoreError) {
    for case let writer as ReplaceWriter in writers { try writer.close() }
    try sightings?.close()
  }

  /// Forgets what a rollback undoes.
  func forget() {
    isBodyOpen = false
    for writer in writers { writer.forget() }
    scope.forget()
    sightings?.forget()
    begin()
  }
}

/// What one body, or a stretch of bodies, has in one table of a batch.
struct BodyPart {
  var rows: Range<Int>
  var lists: Range<Int>
  var hasTombstones = false
  var hasShields = false

  var isEmpty: Bool { rows.isEmpty && lists.isEmpty }
}

extension TableRows {
  /// What comes behind `part`, up to the end of the body of that number.
  fileprivate func part(after part: BodyPart, through body: Int) -> BodyPart {
    var next = BodyPart(
      rows: part.rows.upperBound..<part.rows.upperBound, lists: part.lists.upperBound..<part.lists.upperBound)
    var (row, list) = (part.rows.upperBound, part.lists.upperBound)
    while row < rows.count, rows[row].body <= body {
      if rows[row].isTombstone { next.hasTombstones = true }
      if rows[row].isShield { next.hasShields = true }
      row += 1
    }
    while list < lists.count, lists[list].body <= body { list += 1 }
    next.rows = part.rows.upperBound..<row
    next.lists = part.lists.upperBound..<list
    return next
  }
}
