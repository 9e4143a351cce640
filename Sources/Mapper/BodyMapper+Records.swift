import JSONReading
import PlanCompiler
import Records

/// What became of a record.
enum Mapped {
  /// Its row, by number in its table.
  case row(Int)
  /// Rejected; its key's cells when it could be read.
  case rejected(key: [Cell]?)
  /// Filtered, or a tombstone: it is none of its parent's children.
  case gone
}

/// Where the parent's key stands, for the rows of its children and links.
struct ParentRow {
  var plan: Int
  var row: Int
}

/// From a value to a row: conditions first, then fields, then, if they hold, relationships.
extension BodyMapper {
  func map(_ element: Element, row index: Int, parent: ParentRow?) throws -> Mapped {
    let record = plan.rows[index].record
    guard frames.count < Self.nestedRecords else {
      throw MappingFailure(
        record: plan.recordNames[record], field: nil, pointer: pointer(of: element.value),
        reason: "more than \(Self.nestedRecords) records are nested in one another, which is the limit")
    }
    let undo = plan.rows[index].relationships.contains(where: \.failsParent) ? UndoPoint(batch.mark, tally) : nil
    counts[record].received += 1
    let base = slots.push(plan.rows[index].members, of: element.value)
    frames.append(Frame(row: index, value: element.value, slots: base, element: element))
    defer {
      frames.removeLast()
      slots.pop(to: base)
    }
    if parent == nil, watermark != nil { try noteWatermark(row: index, base: base) }
    if let filter = plan.rows[index].filter, !holds(filter, base: base) {
      counts[record].filtered += 1
      return .gone
    }
    let isTombstone = plan.rows[index].tombstone.map { holds($0, base: base) } ?? false
    let table = plan.rows[index].table
    let start = batch.tables[table].cells.count
    appendPlaceholders(for: plan.rows[index], position: element.index, parent: parent)
    if let fault = try mapFields(of: index, base: base, into: start, keyOnly: isTombstone) {
      return reject(element, row: index, start: start, fault: fault)
    }
    try noteUnmapped(element.value, row: index, start: start)
    let row = appendHeader(for: element, row: index, start: start, parent: parent, isTombstone: isTombstone)
    if isTombstone { return .gone }
    let own = ParentRow(plan: index, row: row)
    for relationship in plan.rows[index].relationships {
      let failed = try map(relationship, of: own, base: base)
      guard failed, let undo else { continue }
      return takeBack(element, row: index, to: undo, cause: relationship.name)
    }
    return .row(row)
  }

  /// How far batch and counts were before a record that its children may reject.
  struct UndoPoint {
    let mark: RecordBatch.Mark
    let tally: Tally

    init(_ mark: RecordBatch.Mark, _ tally: Tally) {
      self.mark = mark
      self.tally = tally
    }
  }

  private func appendHeader(
    for element: Element, row index: Int, start: Int, parent: ParentRow?, isTombstone: Bool
  ) -> Int {
    let rowPlan = plan.rows[index]
    let row = batch.tables[rowPlan.table].rows.count
    for (column, cell) in zip(rowPlan.tracking, trackingCells) {
      batch.tables[rowPlan.table].cells[start + column] = cell
    }
    var header = RowHeader(body: batch.body, isTombstone: isTombstone)
    if let parent { header.parent = RowReference(table: plan.rows[parent.plan].table, row: parent.row) }
    if rowPlan.hasUniqueIndex {
      header.origin = Int32(batch.origins.count)
      batch.origins.append(
        rejection(record: rowPlan.record, value: element.value, field: nil, reason: "", contexts: rowPlan.keptContexts))
    }
    batch.tables[rowPlan.table].rows.append(header)
    if needsOrder { batch.order.append(RowReference(table: rowPlan.table, row: row)) }
    return row
  }

  private func reject(_ element: Element, row index: Int, start: Int, fault: Fault) -> Mapped {
    let rowPlan = plan.rows[index]
    let key = keyCells(of: rowPlan, at: start)
    batch.tables[rowPlan.table].cells.removeSubrange(start...)
    counts[rowPlan.record].rejected += 1
    reject(
      record: rowPlan.record, value: element.value, field: fault.field, reason: fault.reason, contexts: rowPlan.keptContexts
    )
    noteRejected(key, of: rowPlan)
    return .rejected(key: key)
  }

  /// Tells the store which row a rejected record is: it counts as seen.
  private func noteRejected(_ key: [Cell]?, of rowPlan: RowPlan) {
    if rowPlan.key.isEmpty { return }
    guard let key else {
      unsweepable.insert(rowPlan.record)
      return
    }
    guard rowPlan.notesRejected else { return }
    var cells = [Cell](repeating: .missing, count: rowPlan.columnCount)
    for (column, cell) in zip(rowPlan.key, key) { cells[column] = cell }
    batch.tables[rowPlan.table].cells += cells
    batch.tables[rowPlan.table].rows.append(RowHeader(body: batch.body, isShield: true))
  }

  /// A rejected child rejects its parent: what they brought is taken back, the rejected children stay counted.
  private func takeBack(_ element: Element, row index: Int, to undo: UndoPoint, cause: String) -> Mapped {
    let rowPlan = plan.rows[index]
    let own = ParentRow(plan: index, row: batch.rowNumber(in: rowPlan.table, at: undo.mark))
    let key = rowPlan.key.map { cell(of: own, column: $0) }
    let shields = self.shields(since: undo.mark)
    batch.truncate(to: undo.mark, keepingRejections: true)
    for shield in shields { noteRejected(shield.key, of: shield.row) }
    restore(undo.tally)
    for rejection in batch.rejections[batch.rejectionCount(at: undo.mark)...] {
      guard let record = plan.recordNames.firstIndex(of: rejection.record) else { continue }
      counts[record].received += 1
      counts[record].rejected += 1
    }
    counts[rowPlan.record].received += 1
    counts[rowPlan.record].rejected += 1
    reject(
      record: rowPlan.record, value: element.value, field: nil,
      reason: "an element of '\(cause)' was rejected, and its 'on_item_error' is 'fail'", contexts: rowPlan.keptContexts)
    noteRejected(key.isEmpty ? nil : key, of: rowPlan)
    return .rejected(key: key.isEmpty ? nil : key)
  }

  /// Records with a key that were rejected since the mark: they count as seen, whatever becomes of their parent.
  private func shields(since mark: RecordBatch.Mark) -> [(row: RowPlan, key: [Cell])] {
    plan.rows.filter { $0.notesRejected && !$0.key.isEmpty }.flatMap { rowPlan in
      let rows = batch.tables[rowPlan.table].rows
      return (batch.rowNumber(in: rowPlan.table, at: mark)..<rows.count).filter { rows[$0].isShield }.map { row in
        (rowPlan, rowPlan.key.map { batch.tables[rowPlan.table].cells[row * rowPlan.columnCount + $0] })
      }
    }
  }

  /// The cells of a row before its fields are known: the parent's key, the position, and nothing else.
  func appendPlaceholders(for rowPlan: RowPlan, position: Int, parent: ParentRow?) {
    let table = rowPlan.table
    var filled = 0
    if rowPlan.parentKeyCount > 0, let parent {
      forEachIdentityCell(of: parent) { cell in
        batch.tables[table].cells.append(cell)
        filled += 1
      }
    }
    if rowPlan.position != nil {
      batch.tables[table].cells.append(.integer(Int64(position)))
      filled += 1
    }
    let empty: Cell = rowPlan.isWrittenWhole ? .null : .missing
    batch.tables[table].cells.append(contentsOf: repeatElement(empty, count: rowPlan.columnCount - filled))
  }

  /// The cells by which children refer to a row.
  func forEachIdentityCell(of parent: ParentRow, _ body: (Cell) -> Void) {
    let identity = plan.rows[parent.plan].identity
    if identity.isEmpty {
      var cell = Cell.integer(Int64(parent.row))
      cell.rule = .generatedKey
      body(cell)
    }
    for column in identity { body(cell(of: parent, column: column)) }
  }

  func cell(of row: ParentRow, column: Int) -> Cell {
    let rowPlan = plan.rows[row.plan]
    return batch.tables[rowPlan.table].cells[row.row * rowPlan.columnCount + column]
  }

  /// The cells of the record's own key, when all of them hold a value.
  private func keyCells(of rowPlan: RowPlan, at start: Int) -> [Cell]? {
    guard !rowPlan.key.isEmpty else { return nil }
    let cells = rowPlan.key.map { batch.tables[rowPlan.table].cells[start + $0] }
    return cells.allSatisfy(\.isPresent) ? cells : nil
  }
}
