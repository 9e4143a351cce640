import Records
import Store

/// All tables of a mapping, and what became of the rows of the transaction at hand.
final class RowSink {
  private let writers: [any TableWriter]
  /// Whether the rows of a table are counted: those of links are not.
  private let isCounted: [Bool]
  /// What became of each table's rows.
  private var outcomes: [RecordOutcome]
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
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    let tables = batch.tables
    var next = tables.map { _ in (row: 0, list: 0) }
    for body in 0..<UInt32(batch.bodies.count) {
      let isLast = Int(body) == batch.bodies.count - 1
      let endsHere = !isLast || endsBody
      for index in tables.indices {
        let rows = next[index].row..<tables[index].endOfRows(from: next[index].row, body: body)
        let lists = next[index].list..<tables[index].endOfLists(from: next[index].list, body: body)
        next[index] = (rows.upperBound, lists.upperBound)
        let statements = tables[index].parentKeyCount == 0 ? rows.count : lists.count
        if statements > 0 {
          let isTracked = isBodyOpen || !endsHere || statements > 1
          try writers[index].write(
            tables[index], rows: rows, lists: lists, isTracked: isTracked, &outcomes[index])
        }
      }
      isBodyOpen = !endsHere
      if endsHere { try endBody() }
    }
    let isWhole = zip(next, tables).allSatisfy { $0.row == $1.rows.count && $0.list == $1.lists.count }
    precondition(isWhole, "the rows and lists of a batch come body by body")
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

extension TableRows {
  fileprivate func endOfRows(from start: Int, body: UInt32) -> Int {
    var end = start
    while end < rows.count, rows[end].body == body { end += 1 }
    return end
  }

  fileprivate func endOfLists(from start: Int, body: UInt32) -> Int {
    var end = start
    while end < lists.count, lists[end].body == body { end += 1 }
    return end
  }
}
