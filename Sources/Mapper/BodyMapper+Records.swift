import JSONReading
import PlanCompiler
import Records

/// What became of a record.
enum Mapped {
  /// Its row, by number in its table.
  case row(Int)
  /// Rejected; its key's cells when it could be read.
  case rejected(key: [Cell]?)
}

/// Where the parent's key stands, for the rows of its children and links.
struct ParentRow {
  var plan: Int
  var row: Int
}

/// From a value to a row: fields first, then, if they hold, relationships.
extension BodyMapper {
  func map(_ element: Element, row index: Int, parent: ParentRow?) throws -> Mapped {
    let record = plan.rows[index].record
    counts[record].received += 1
    let base = slots.push(plan.rows[index].members, of: element.value)
    frames.append(Frame(row: index, value: element.value, slots: base, element: element))
    defer {
      frames.removeLast()
      slots.pop(to: base)
    }
    let table = plan.rows[index].table
    let row = batch.tables[table].rows.count
    let start = batch.tables[table].cells.count
    appendPlaceholders(for: plan.rows[index], position: element.index, parent: parent)
    if let fault = try mapFields(of: index, base: base, into: start) {
      let key = keyCells(of: plan.rows[index], at: start)
      batch.tables[table].cells.removeSubrange(start...)
      counts[record].rejected += 1
      reject(
        record: record, value: element.value, field: fault.field, reason: fault.reason,
        contexts: plan.rows[index].contexts)
      return .rejected(key: key)
    }
    batch.tables[table].rows.append(RowHeader(body: batch.body))
    let own = ParentRow(plan: index, row: row)
    for relationship in plan.rows[index].relationships {
      try map(relationship, of: own, base: base)
    }
    return .row(row)
  }

  /// The cells of a row before its fields are known: the parent's key, the position, and nothing else.
  func appendPlaceholders(for rowPlan: RowPlan, position: Int, parent: ParentRow?) {
    let table = rowPlan.table
    var filled = 0
    if rowPlan.parentKeyCount > 0, let parent {
      for column in plan.rows[parent.plan].identity {
        let cell = self.cell(of: parent, column: column)
        batch.tables[table].cells.append(cell)
        filled += 1
      }
    }
    if rowPlan.position != nil {
      batch.tables[table].cells.append(.integer(Int64(position)))
      filled += 1
    }
    let empty: Cell = rowPlan.isWrittenWhole ? .null : .missing
    for _ in filled..<rowPlan.columnCount { batch.tables[table].cells.append(empty) }
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
