import Records
import Store

/// What follows when the store rejects a row: it is kept as a rejection, what the mapper rejected within it is no
/// rejection of its own any more, and the row that it is nested in does not refer to it.
final class RejectedRows {
  /// A column, or several, of a parent that hold the key of a child with unique indexes.
  fileprivate struct Reference {
    let key: ForeignKey
    let child: Int
    let holds: LazyStatement
    let clear: LazyStatement
  }

  private let tables: [TableSQL]
  /// By the parent's table.
  private let references: [[Reference]]
  /// Rows of the batch at hand whose stored row held the same child's key before: they keep it.
  private var holders: [RowReference: [Bool]] = [:]
  private var handled = 0

  init(_ connection: Connection, _ tables: [TableSQL]) {
    self.tables = tables
    references = tables.map { sql in
      guard sql.shape.role != .membership, sql.shape.role != .link else { return [] }
      return sql.shape.foreignKeys.filter { $0.onDelete == .setNull }.compactMap { key -> Reference? in
        let child = tables.map(\.shape).firstIndex {
          $0.role == .record && FoldedName($0.name) == FoldedName(key.table) && $0.indexes.contains(where: \.isUnique)
        }
        guard let child, !sql.versionedKey.isEmpty else { return nil }
        return Reference(connection, sql, key, child: child)
      }
    }
  }

  /// Whether rows of the table may have to be changed again: its bodies are followed.
  func mayChange(_ table: Int) -> Bool { !references[table].isEmpty }

  func beginBatch() {
    holders.removeAll(keepingCapacity: true)
    handled = 0
  }

  /// To be called before a row is written.
  func note(_ row: RowReference, of batch: RecordBatch) throws(StoreError) {
    let references = references[Int(row.table)]
    guard !references.isEmpty else { return }
    var held: [Bool] = []
    for reference in references {
      let cells = cells(tables[Int(row.table)].versionedKey + reference.key.columns, of: row, in: batch)
      held.append(try reference.holds.prepared().gives(cells))
    }
    holders[row] = held
  }

  /// Handles the breaches that have come since the last time.
  func settle(_ verdicts: RowVerdicts, of batch: RecordBatch, _ outcomes: inout [RecordOutcome]) throws(StoreError) {
    while handled < verdicts.breaches.count {
      let breach = verdicts.breaches[handled]
      handled += 1
      outcomes[Int(breach.row.table)].rejected += 1
      let header = batch.tables[Int(breach.row.table)].rows[Int(breach.row.row)]
      try clearParent(of: breach.row, header.parent, in: batch)
      guard header.origin >= 0 else { continue }
      var rejection = batch.origins[Int(header.origin)]
      rejection.field = breach.field
      rejection.reason = breach.reason
      takeBack(within: rejection, of: batch, &outcomes)
      batch.rejections.append(rejection)
    }
  }

  /// Children of a rejected record are not received: those that the mapper rejected are neither.
  private func takeBack(within parent: Rejection, of batch: RecordBatch, _ outcomes: inout [RecordOutcome]) {
    let prefix = Array((parent.pointer + "/").utf8)
    batch.rejections.removeAll { rejection in
      guard rejection.body == parent.body, rejection.pointer.utf8.starts(with: prefix),
        rejection.endpoint.utf8.elementsEqual(parent.endpoint.utf8)
      else { return false }
      let name = rejection.record
      var place = outcomes.firstIndex { $0.record.utf8.elementsEqual(name.utf8) }
      if place == nil {
        // A choice has no table.
        outcomes.append(RecordOutcome(record: name))
        place = outcomes.count - 1
      }
      if let place {
        outcomes[place].notReceived += 1
        outcomes[place].rejected -= 1
      }
      return true
    }
  }

  /// A column with the key of a child that was rejected stays only if it held that key before.
  private func clearParent(
    of child: RowReference, _ parent: RowReference, in batch: RecordBatch
  ) throws(StoreError) {
    guard parent.table >= 0, let held = holders[parent] else { return }
    let parentKey = cells(tables[Int(parent.table)].versionedKey, of: parent, in: batch)
    let childKey = cells(tables[Int(child.table)].shape.primaryKey, of: child, in: batch)
    for (reference, isHeld) in zip(references[Int(parent.table)], held)
    where reference.child == Int(child.table) && !isHeld {
      let own = cells(reference.key.columns, of: parent, in: batch)
      guard zip(own, childKey).allSatisfy({ $0.isSame(as: $1) }) else { continue }
      let clear = try reference.clear.prepared()
      for (place, cell) in (parentKey + own).enumerated() { try clear.bind(cell, at: place) }
      try clear.run()
    }
  }

  private func cells(_ columns: [Int], of row: RowReference, in batch: RecordBatch) -> [Cell] {
    let rows = batch.tables[Int(row.table)]
    return columns.map { rows.cells[Int(row.row) * rows.columnCount + $0] }
  }
}

extension RejectedRows.Reference {
  /// Of a history, the current version refers to the child.
  fileprivate init(_ connection: Connection, _ sql: TableSQL, _ key: ForeignKey, child: Int) {
    let condition = sql.equal(sql.versionedKey + key.columns) + sql.currentVersion(sql.table)
    let cleared = sql.names(key.columns).map { "\($0) = NULL" }.joined(separator: ", ")
    self.init(
      key: key, child: child,
      holds: LazyStatement("SELECT 1 FROM \(sql.table) WHERE \(condition)", on: connection),
      clear: LazyStatement("UPDATE \(sql.table) SET \(cleared) WHERE \(condition)", on: connection))
  }
}

extension Statement {
  /// Whether it gives a row for these parameters.
  fileprivate func gives(_ cells: [Cell]) throws(StoreError) -> Bool {
    for (place, cell) in cells.enumerated() { try bind(cell, at: place) }
    defer { reset() }
    return try step()
  }
}
