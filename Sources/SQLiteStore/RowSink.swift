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

  init(_ connection: Connection, _ schema: StoreSchema) throws(StoreError) {
    let reader = SchemaReader(connection: connection)
    var writers: [any TableWriter] = []
    for (index, table) in schema.tables.enumerated() {
      let stored = try reader.table(table.shape.name)
      let sql = try TableSQL(table.shape, storedColumns: Set(stored?.columns.map(\.name) ?? []))
      writers.append(Self.writer(connection, sql, index: index))
    }
    self.writers = writers
    shapes = schema.tables.map(\.shape)
    isCounted = schema.tables.map { $0.record != nil }
    outcomes = schema.tables.map { RecordOutcome(record: $0.record ?? $0.shape.name) }
  }

  private static func writer(_ connection: Connection, _ sql: TableSQL, index: Int) -> any TableWriter {
    switch sql.shape.role {
    case .record where sql.shape.primaryKey.isEmpty: AppendWriter(connection, sql)
    case .record: RecordWriter(connection, sql, index: index)
    case .onlyChild, .listChild: ChildWriter(connection, sql, index: index)
    case .link: LinkWriter(connection, sql, index: index)
    case .membership: preconditionFailure("no plan has children by 'via: child' yet")
    }
  }

  func begin() {
    for index in outcomes.indices { outcomes[index] = RecordOutcome(record: outcomes[index].record) }
  }

  /// Applies a batch body by body, since what a body does can undo what the one before it did.
  ///
  /// Rows of a batch that comes with its document order are applied in that order, others table by table.
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    let order = batch.order.isEmpty ? nil : DocumentOrder(batch)
    var next = batch.tables.map { _ in BodyPart(rows: 0..<0, lists: 0..<0) }
    for body in 0..<UInt32(batch.bodies.count) {
      let isLast = Int(body) == batch.bodies.count - 1
      let endsHere = !isLast || endsBody
      for index in next.indices { next[index] = batch.tables[index].part(after: next[index], body: body) }
      let mayComeAgain = isBodyOpen || !endsHere
      if let order {
        try write(next, of: batch, body: body, in: order, mayComeAgain: mayComeAgain)
      } else {
        try write(next, of: batch, mayComeAgain: mayComeAgain)
      }
      isBodyOpen = !endsHere
      if endsHere { try endBody() }
    }
    let isWhole = zip(next, batch.tables).allSatisfy {
      $0.rows.upperBound == $1.rows.count && $0.lists.upperBound == $1.lists.count
    }
    precondition(isWhole, "the rows and lists of a batch come body by body")
  }

  private func write(_ parts: [BodyPart], of batch: RecordBatch, mayComeAgain: Bool) throws(StoreError) {
    for (index, part) in parts.enumerated() {
      let table = batch.tables[index]
      let statements = table.parentKeyCount == 0 ? part.rows.count : part.lists.count
      guard statements > 0 else { continue }
      try writers[index].write(
        table, rows: part.rows, lists: part.lists, isTracked: mayComeAgain || statements > 1, verdicts: nil,
        &outcomes[index])
    }
  }

  private func endBody() throws(StoreError) {
    for index in writers.indices { try writers[index].endBody(&outcomes[index]) }
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
    for (index, outcome) in outcomes.enumerated() where isCounted[index] && outcome.isSomething {
      counts[place(of: outcome.record)].outcome.add(outcome)
    }
    return counts
  }

  /// Forgets what a rollback undoes.
  func forget() {
    isBodyOpen = false
    for writer in writers { writer.forget() }
    begin()
  }
}

/// What one body has in one table of a batch.
struct BodyPart {
  var rows: Range<Int>
  var lists: Range<Int>
}

extension TableRows {
  fileprivate func part(after part: BodyPart, body: UInt32) -> BodyPart {
    let (firstRow, firstList) = (part.rows.upperBound, part.lists.upperBound)
    var (row, list) = (firstRow, firstList)
    while row < rows.count, rows[row].body == body { row += 1 }
    while list < lists.count, lists[list].body == body { list += 1 }
    return BodyPart(rows: firstRow..<row, lists: firstList..<list)
  }
}
