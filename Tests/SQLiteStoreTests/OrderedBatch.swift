import Records
import Store

/// Batches that come with their document order, as a plan with unique indexes makes them.
extension BatchBuilder {
  /// A record, and where it stands: `pointer` names it in a rejection.
  @discardableResult
  func record(_ table: String, _ values: [Value], at pointer: String, in parent: RowReference = .none) -> RowReference {
    row(table, values: values)
    let place = index(of: table)
    return stand(RowReference(table: place, row: batch.tables[place].rows.count - 1), at: pointer, in: parent)
  }

  /// A parent's children; the pointers of a keyless child's rows follow its own.
  @discardableResult
  func children(
    _ table: String, of parent: RowReference, key: [Value], _ rows: [[Value]], at pointer: String
  ) -> [RowReference] {
    let place = index(of: table)
    let first = batch.tables[place].rows.count
    list(table, of: key, rows)
    batch.tables[place].lists[batch.tables[place].lists.count - 1].parent = parent
    return rows.indices.map {
      stand(RowReference(table: place, row: first + $0), at: "\(pointer)/\($0)", in: parent)
    }
  }

  /// Links of a parent to rows of the batch.
  func links(_ table: String, of parent: RowReference, key: [Value], _ rows: [(values: [Value], child: RowReference)]) {
    let place = index(of: table)
    let first = batch.tables[place].rows.count
    list(table, of: key, rows.map(\.values))
    batch.tables[place].lists[batch.tables[place].lists.count - 1].parent = parent
    for (number, row) in rows.enumerated() { batch.tables[place].rows[first + number].parent = row.child }
  }

  private func stand(_ row: RowReference, at pointer: String, in parent: RowReference) -> RowReference {
    let (table, number) = (Int(row.table), Int(row.row))
    batch.tables[table].rows[number].parent = parent
    batch.tables[table].rows[number].origin = Int32(batch.origins.count)
    batch.origins.append(
      Rejection(
        record: record(of: table), pointer: pointer, field: nil, reason: "", value: Array("{}".utf8), context: nil,
        body: batch.body, endpoint: "items"))
    batch.order.append(row)
    return row
  }

  private func record(of table: Int) -> String { schema.tables[table].record ?? "" }
}
