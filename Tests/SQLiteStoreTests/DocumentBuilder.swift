import Records
import Store

/// Fills a batch in document order: each row knows the one that it is nested in.
final class DocumentBuilder {
  let builder: BatchBuilder

  init(_ schema: StoreSchema) { builder = BatchBuilder(schema) }

  private var batch: RecordBatch { builder.batch }

  /// A record; of a tombstone only the key counts.
  @discardableResult
  func row(
    _ table: String, _ values: [Value], in parent: RowReference = .none, isTombstone: Bool = false
  ) -> RowReference {
    let index = builder.index(of: table)
    builder.add(values, to: index, isShield: false)
    let row = RowReference(table: index, row: batch.tables[index].rows.count - 1)
    batch.tables[index].rows[Int(row.row)].isTombstone = isTombstone
    batch.tables[index].rows[Int(row.row)].parent = parent
    batch.order.append(row)
    return row
  }

  /// A record that was rejected, and is known by its key.
  func shield(_ table: String, _ values: [Value]) { builder.add(values, to: builder.index(of: table), isShield: true) }

  /// What a parent has of children without a key, links or members.
  func list(
    _ table: String, of parent: RowReference, key: [Value], _ rows: [[Value]], shields: Set<Int> = [],
    isPartial: Bool = false, hasUnknown: Bool = false
  ) {
    let index = builder.index(of: table)
    let first = batch.tables[index].rows.count
    builder.list(table, of: key, rows.map { key + $0 }, shields: shields)
    batch.tables[index].lists[batch.tables[index].lists.count - 1].parent = parent
    batch.tables[index].lists[batch.tables[index].lists.count - 1].isPartial = isPartial
    batch.tables[index].lists[batch.tables[index].lists.count - 1].hasUnknown = hasUnknown
    for row in first..<first + rows.count {
      batch.tables[index].rows[row].parent = parent
      batch.order.append(RowReference(table: index, row: row))
    }
  }

  func body() { builder.body() }
}

extension Store {
  /// Writes one batch in document order in a transaction of its own: what became of the rows of each record.
  @discardableResult
  func document(_ schema: StoreSchema, _ fill: (DocumentBuilder) -> Void) throws -> [String: String] {
    let document = DocumentBuilder(schema)
    fill(document)
    return try write([document.builder], schema)
  }

  /// Writes parts of one body, as it spans batches.
  @discardableResult
  func write(_ parts: [BatchBuilder], _ schema: StoreSchema) throws -> [String: String] {
    var received: [String: ReceivedCounts] = [:]
    try begin()
    do {
      for (number, part) in parts.enumerated() {
        for count in part.received(schema) {
          received[count.record, default: ReceivedCounts(record: count.record)].received += count.received
        }
        try write(part.batch, endsBody: number == parts.count - 1)
      }
      let outcomes = try commit(Array(received.values))
      return Dictionary(uniqueKeysWithValues: outcomes.filter(\.isSomething).map { ($0.record, $0.text) })
    } catch {
      try rollback()
      throw error
    }
  }
}

extension RecordOutcome {
  fileprivate var isSomething: Bool { self != RecordOutcome(record: record) }

  /// Inserted, updated and unchanged rows, and deleted and skipped ones if there are any.
  var text: String {
    "+\(inserted) ~\(updated) =\(unchanged)" + (deleted > 0 ? " -\(deleted)" : "") + (skipped > 0 ? " s\(skipped)" : "")
  }
}
