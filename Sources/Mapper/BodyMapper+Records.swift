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
    let row = row(index)
    guard frames.count < Self.nestedRecords else {
      throw MappingFailure(
        record: plan.recordNames[row.pointee.plan.record], field: nil, pointer: pointer(of: element.value),
        reason: "more than \(Self.nestedRecords) records are nested in one another, which is the limit")
    }
    let undo = row.pointee.mayBeTakenBack ? UndoPoint(batch.mark, tally) : nil
    counts[row.pointee.record].received += 1
    let base = slots.push(row.pointee.members, of: element.value)
    frames.append(Frame(row: index, value: element.value, slots: base, element: element))
    defer {
      frames.removeLast()
      slots.pop(to: base)
    }
    if parent == nil, watermark != nil { try noteWatermark(of: row, base: base) }
    var isTombstone = false
    if row.pointee.hasConditions {
      if let filter = row.pointee.plan.filter, !holds(filter, base: base) {
        counts[row.pointee.record].filtered += 1
        return .gone
      }
      isTombstone = row.pointee.plan.tombstone.map { holds($0, base: base) } ?? false
    }
    beginCells(of: row, position: element.index, parent: parent)
    if coverage != nil { noteCoverage(of: row, value: element.value, base: base, keyOnly: isTombstone) }
    if let fault = try mapFields(of: row, value: element.value, base: base, keyOnly: isTombstone) {
      return reject(element, of: row, fault: fault)
    }
    if !row.pointee.ignoresUnmapped { try noteUnmapped(element.value, of: row) }
    let number = append(element, of: row, parent: parent, isTombstone: isTombstone)
    if isTombstone { return .gone }
    let own = ParentRow(plan: index, row: number)
    guard row.pointee.hasRelationships else { return .row(number) }
    for relationship in row.pointee.plan.relationships {
      let failed = try map(relationship, of: own, base: base)
      guard failed, let undo else { continue }
      return takeBack(element, of: row, to: undo, cause: relationship.name)
    }
    return .row(number)
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

  // MARK: the cells of the row at hand

  /// The cells of a row before its fields are known: the parent's key, the position, and nothing else.
  func beginCells(of row: UnsafePointer<MappedRow>, position: Int, parent: ParentRow?) {
    var filled = 0
    if row.pointee.parentKeyCount > 0, let parent { filled = copyIdentity(of: parent) }
    if row.pointee.hasPosition {
      cells[filled] = .integer(Int64(position))
      filled += 1
    }
    let (empty, end) = (row.pointee.empty, row.pointee.columnCount)
    while filled < end {
      cells[filled] = empty
      filled += 1
    }
  }

  /// Puts the cells by which children refer to a row where those of the row at hand begin, and says how many they are.
  func copyIdentity(of parent: ParentRow) -> Int {
    let row = row(parent.plan)
    if row.pointee.identity.isEmpty {
      cells[0] = .integer(Int64(parent.row))
      cells[0].rule = .generatedKey
      return 1
    }
    let (identity, table) = (UnsafeBufferPointer(row.pointee.identity), row.pointee.table)
    lentBatch._withUnsafeGuaranteedRef { $0.copy(identity, ofRow: parent.row, in: table, to: cells) }
    return row.pointee.identity.count
  }

  /// Adds the row at hand to the batch, and gives its number.
  private func append(_ element: Element, of row: UnsafePointer<MappedRow>, parent: ParentRow?, isTombstone: Bool)
    -> Int
  {
    if tracksRows { for (column, cell) in zip(row.pointee.plan.tracking, trackingCells) { cells[column] = cell } }
    var header = RowHeader(body: bodyNumber, isTombstone: isTombstone)
    if let parent { header.parent = RowReference(table: self.row(parent.plan).pointee.table, row: parent.row) }
    if row.pointee.plan.hasUniqueIndex {
      header.origin = Int32(batch.origins.count)
      batch.origins.append(
        rejection(
          record: row.pointee.plan.record, value: element.value, field: nil, reason: "",
          contexts: row.pointee.plan.keptContexts))
    }
    let table = row.pointee.table
    let number = lentBatch._withUnsafeGuaranteedRef { $0.append(cells, header, to: table) }
    if needsOrder { batch.order.append(RowReference(table: row.pointee.table, row: number)) }
    return number
  }

  /// Adds a row that is not written: what is stored under its cells stays.
  func appendShield(of row: UnsafePointer<MappedRow>) {
    _ = batch.append(cells, RowHeader(body: bodyNumber, isShield: true), to: row.pointee.plan.table)
  }

  func cell(of row: ParentRow, column: Int) -> Cell {
    batch.cell(column, ofRow: row.row, in: self.row(row.plan).pointee.table)
  }

  // MARK: records that are not taken

  private func reject(_ element: Element, of row: UnsafePointer<MappedRow>, fault: Fault) -> Mapped {
    let key = keyCells(of: row)
    counts[row.pointee.plan.record].rejected += 1
    reject(
      record: row.pointee.plan.record, value: element.value, field: fault.field, reason: fault.reason,
      contexts: row.pointee.plan.keptContexts)
    noteRejected(key, of: row)
    return .rejected(key: key)
  }

  /// The cells of the record's own key, when all of them hold a value.
  private func keyCells(of row: UnsafePointer<MappedRow>) -> [Cell]? {
    guard !row.pointee.plan.key.isEmpty else { return nil }
    let key = row.pointee.plan.key.map { cells[$0] }
    return key.allSatisfy(\.isPresent) ? key : nil
  }

  /// Tells the store which row a rejected record is: it counts as seen.
  private func noteRejected(_ key: [Cell]?, of row: UnsafePointer<MappedRow>) {
    if row.pointee.plan.key.isEmpty { return }
    guard let key else {
      unsweepable.insert(row.pointee.plan.record)
      return
    }
    guard row.pointee.plan.notesRejected else { return }
    for column in 0..<row.pointee.plan.columnCount { cells[column] = .missing }
    for (column, cell) in zip(row.pointee.plan.key, key) { cells[column] = cell }
    appendShield(of: row)
  }

  /// A rejected child rejects its parent: what they brought is taken back, the rejected children stay counted.
  private func takeBack(_ element: Element, of row: UnsafePointer<MappedRow>, to undo: UndoPoint, cause: String)
    -> Mapped
  {
    let own = ParentRow(plan: row.pointee.index, row: batch.rowNumber(in: row.pointee.plan.table, at: undo.mark))
    let key = row.pointee.plan.key.map { cell(of: own, column: $0) }
    let shields = self.shields(since: undo.mark)
    batch.truncate(to: undo.mark, keepingRejections: true)
    for shield in shields { noteRejected(shield.key, of: shield.row) }
    restore(undo.tally)
    for rejection in batch.rejections[batch.rejectionCount(at: undo.mark)...] {
      guard let record = plan.recordNames.firstIndex(of: rejection.record) else { continue }
      counts[record].received += 1
      counts[record].rejected += 1
    }
    counts[row.pointee.plan.record].received += 1
    counts[row.pointee.plan.record].rejected += 1
    reject(
      record: row.pointee.plan.record, value: element.value, field: nil,
      reason: "an element of '\(cause)' was rejected, and its 'on_item_error' is 'fail'",
      contexts: row.pointee.plan.keptContexts)
    noteRejected(key.isEmpty ? nil : key, of: row)
    return .rejected(key: key.isEmpty ? nil : key)
  }

  /// Records with a key that were rejected since the mark: they count as seen, whatever becomes of their parent.
  private func shields(since mark: RecordBatch.Mark) -> [(row: UnsafePointer<MappedRow>, key: [Cell])] {
    rows.indices.map { row($0) }.filter { $0.pointee.plan.notesRejected && !$0.pointee.plan.key.isEmpty }.flatMap {
      row in
      let table = row.pointee.table
      let headers = batch.tables[table].rows
      return (batch.rowNumber(in: table, at: mark)..<headers.count).filter { headers[$0].isShield }.map { number in
        (row, row.pointee.plan.key.map { batch.cell($0, ofRow: number, in: table) })
      }
    }
  }
}
