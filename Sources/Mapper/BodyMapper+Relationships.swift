import JSONReading
import PlanCompiler
import Records

/// What a relationship finds in a record.
enum Children {
  case missing
  case null
  /// Elements on the mapper's stack, from this index on.
  case elements(from: Int)
  /// A value of a wrong shape: one rejected element.
  case wrong(JSONValue, String)
}

/// Relationships: find the children, map them, and say what the parent has now.
extension BodyMapper {
  func map(_ relationship: RelationshipPlan, of parent: ParentRow, base: Int) throws {
    let start = elements.count
    defer { elements.removeSubrange(start...) }
    var children = findChildren(relationship, base: base)
    if case .wrong(let value, let reason) = children {
      let child = plan.rows[relationship.child]
      counts[child.record].received += 1
      counts[child.record].rejected += 1
      reject(record: child.record, value: value, field: nil, reason: reason, contexts: [])
      children = .missing
      if !plan.rows[parent.plan].isWrittenWhole { return }
    }
    if case .missing = children {
      guard plan.rows[parent.plan].isWrittenWhole else { return }
      children = .null
    }
    switch relationship.storage {
    case .columns(let columns): try mapOne(relationship, columns, of: parent, from: start)
    case .onlyChild, .listChild: try mapKeyless(relationship, of: parent, from: start)
    case .link(let table): try mapLinks(relationship, table: table, of: parent, from: start)
    }
  }

  /// A child with a key: its key goes into the parent's columns.
  private func mapOne(_ relationship: RelationshipPlan, _ columns: [Int], of parent: ParentRow, from start: Int) throws
  {
    var cells = [Cell](repeating: .null, count: columns.count)
    if elements.count > start {
      switch try map(elements[start], row: relationship.child, parent: parent) {
      case .row(let row):
        let child = ParentRow(plan: relationship.child, row: row)
        cells = plan.rows[relationship.child].key.map { cell(of: child, column: $0) }
      case .rejected(let key?):
        cells = key
        for index in cells.indices { cells[index].rule = .keepIfEqual }
      case .rejected(nil): break
      }
    }
    let rowPlan = plan.rows[parent.plan]
    for (column, cell) in zip(columns, cells) {
      batch.tables[rowPlan.table].cells[parent.row * rowPlan.columnCount + column] = cell
    }
  }

  /// Children without a key: rows of a table of their own.
  private func mapKeyless(_ relationship: RelationshipPlan, of parent: ParentRow, from start: Int) throws {
    let child = plan.rows[relationship.child]
    let mark = selfNestingTables.contains(child.table) ? batch.mark : nil
    let statement = beginList(in: child.table, of: parent)
    var first = batch.tables[child.table].rows.count
    var own: [Int] = []
    var next = start
    let end = elements.count
    while next < end {
      if mark != nil { own.append(batch.tables[child.table].rows.count) }
      if case .rejected = try map(elements[next], row: relationship.child, parent: parent) {
        appendPlaceholders(for: child, position: elements[next].index, parent: parent)
        batch.tables[child.table].rows.append(RowHeader(body: batch.body, isShield: true))
      }
      next += 1
    }
    let count = batch.tables[child.table].rows.count
    if let mark {
      batch.gather(own, ofTable: child.table, since: mark)
      first = count - own.count
    }
    batch.tables[child.table].lists[statement].rows = first..<count
  }

  /// Children with a key in a list: rows of their own, and links.
  private func mapLinks(_ relationship: RelationshipPlan, table: Int, of parent: ParentRow, from start: Int) throws {
    let statement = beginList(in: table, of: parent)
    let firstCell = linkCells.count
    var shields: [Bool] = []
    defer { linkCells.removeSubrange(firstCell...) }
    var next = start
    let end = elements.count
    while next < end {
      let position = elements[next].index
      switch try map(elements[next], row: relationship.child, parent: parent) {
      case .row(let row):
        let child = ParentRow(plan: relationship.child, row: row)
        for column in plan.rows[relationship.child].key { linkCells.append(cell(of: child, column: column)) }
        linkCells.append(.integer(Int64(position)))
        shields.append(false)
      case .rejected(let key):
        // Without a key the link at its position stays.
        linkCells += key ?? plan.rows[relationship.child].key.map { _ in .null }
        linkCells.append(.integer(Int64(position)))
        shields.append(true)
      }
      next += 1
    }
    let first = batch.tables[table].rows.count
    let width = plan.rows[relationship.child].key.count + 1
    for (index, isShield) in shields.enumerated() {
      for column in plan.rows[parent.plan].identity {
        batch.tables[table].cells.append(cell(of: parent, column: column))
      }
      let from = firstCell + index * width
      batch.tables[table].cells.append(contentsOf: linkCells[from..<from + width])
      batch.tables[table].rows.append(RowHeader(body: batch.body, isShield: isShield))
    }
    batch.tables[table].lists[statement].rows = first..<batch.tables[table].rows.count
  }

  /// Statements keep document order, a parent's before those of the records nested in it, wherever their rows come.
  private func beginList(in table: Int, of parent: ParentRow) -> Int {
    for column in plan.rows[parent.plan].identity {
      batch.tables[table].listKeys.append(cell(of: parent, column: column))
    }
    batch.tables[table].lists.append(ListStatement(body: batch.body, rows: 0..<0))
    return batch.tables[table].lists.count - 1
  }

  // MARK: finding children

  private func findChildren(_ relationship: RelationshipPlan, base: Int) -> Children {
    if relationship.isSameObject { return sameObject(relationship) }
    var value: JSONValue
    var rest = relationship.access.rest
    switch relationship.access.origin {
    case .member(let node):
      let slot = slots[base + node]
      guard slot >= 0 else { return absentChildren(relationship, node: node, base: base) }
      value = frames[frames.count - 1].value.at(Int(slot))
    case .context:
      switch valueAround(relationship.access.path) {
      case nil: return .missing
      case .inRecord(let found)?: value = found
      case .captured(let document, let left)?:
        batch.keep(document)
        (value, rest) = (document.root, left)
      }
    }
    guard let rest else { return children(at: value, of: relationship, isList: relationship.isList, keyNode: -1) }
    return expand(rest, on: value, of: relationship)
  }

  private func absentChildren(_ relationship: RelationshipPlan, node: Int, base: Int) -> Children {
    let members = plan.rows[frames[frames.count - 1].row].members
    var ancestor = node
    while slots[base + ancestor] < 0 { ancestor = members.nodes[ancestor].parent }
    let value = frames[frames.count - 1].value.at(Int(slots[base + ancestor]))
    switch value.kind {
    case .object, .null: return .missing
    case .array where value.isEmpty: return .missing
    default: return .wrong(value, "\(value.kind.article) stands on the way of '\(relationship.access.path.text)'")
    }
  }

  /// The child is built from the parent's own members, when one of them is there.
  private func sameObject(_ relationship: RelationshipPlan) -> Children {
    let parent = frames[frames.count - 1]
    let members = plan.rows[relationship.child].members
    let base = slots.push(members, of: parent.value)
    defer { slots.pop(to: base) }
    let isPresent = members.nodes.indices.contains { node in
      node > 0 && members.nodes[node].children.isEmpty && slots[base + node] >= 0
    }
    guard isPresent || members.nodes.count == 1 else { return .missing }
    elements.append(Element(value: parent.value, index: 0, keyNode: parent.element.keyNode))
    return .elements(from: elements.count - 1)
  }

  /// The value where the children are.
  private func children(at value: JSONValue, of relationship: RelationshipPlan, isList: Bool, keyNode: Int) -> Children
  {
    let start = elements.count
    switch value.kind {
    case .null: return .null
    case .string where value.isBlank: return .null
    case .object where value.isEmpty && !relationship.isList: return .null
    case .array where !relationship.isList:
      if value.isEmpty { return .null }
      return .wrong(
        value, "a list stands where one '\(plan.recordNames[plan.rows[relationship.child].record])' is declared")
    case .array where isList:
      var index = 0
      value.forEachElement { element in
        if !element.isNull { elements.append(Element(value: element, index: index, keyNode: keyNode)) }
        index += 1
      }
    default: elements.append(Element(value: value, index: 0, keyNode: keyNode))
    }
    return .elements(from: start)
  }

  /// `groups[*].words`, `sizes.*`: steps through, gathers, numbers what it gathers from 0.
  private func expand(_ rest: KeyPath, on value: JSONValue, of relationship: RelationshipPlan) -> Children {
    let start = elements.count
    var expansion = Expansion(steps: rest.steps, isList: relationship.isList)
    expansion.walk(value, step: 0, keyNode: -1, into: &elements)
    if let wrong = expansion.wrong {
      elements.removeSubrange(start...)
      return .wrong(wrong, "\(wrong.kind.article) stands on the way of '\(relationship.access.path.text)'")
    }
    if elements.count == start, !expansion.isFound { return expansion.isNull ? .null : .missing }
    if !relationship.isList {
      guard let only = elements.last, elements.count == start + 1 else {
        guard elements.count > start else { return .null }
        elements.removeSubrange(start...)
        return .wrong(value, "several values stand where one is declared")
      }
      elements.removeSubrange(start...)
      return children(at: only.value, of: relationship, isList: false, keyNode: only.keyNode)
    }
    return .elements(from: start)
  }
}
