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
  /// Says whether a child was rejected that rejects its parent.
  func map(_ relationship: RelationshipPlan, of parent: ParentRow, base: Int) throws -> Bool {
    let start = elements.count
    defer { elements.removeLast(elements.count - start) }
    let rejected = relationship.failsParent ? batch.rejections.count : 0
    var isPartial = relationship.isUnion
    if let complete = relationship.complete, !holds(complete, base: base) {
      isPartial = true
      warnIncomplete(relationship, of: parent)
    }
    var isUnknown = false
    switch findChildren(relationship, base: base) {
    case .wrong(let value, let reason):
      rejectElement(value, of: relationship, reason: reason)
      guard rows[parent.plan].plan.isWrittenWhole else { return relationship.failsParent }
      isUnknown = true
    case .missing:
      guard rows[parent.plan].plan.isWrittenWhole else { return false }
    case .null:
      if isPartial { return false }
    case .elements:
      chooseBranches(of: relationship, from: start)
      if isPartial, elements.count == start { return false }
    }
    for (number, branch) in relationship.branches.enumerated() {
      let children = Branch(number: number, plan: branch, start: start, isPartial: isPartial, isUnknown: isUnknown)
      switch branch.storage {
      case .columns(let columns): try mapOne(children, columns, of: parent)
      case .onlyChild, .listChild: try mapKeyless(children, of: parent)
      case .link(let table): try mapLinks(children, table: table, of: parent, hasPosition: true)
      case .membership(let table): try mapLinks(children, table: table, of: parent, hasPosition: false)
      }
    }
    return relationship.failsParent && batch.rejections.count > rejected
  }

  /// The children of one relationship that are of one record.
  struct Branch {
    let number: Int
    let plan: RelationshipPlan.Branch
    /// Their first element on the mapper's stack.
    let start: Int
    let isPartial: Bool
    /// What stood there was rejected as a whole: it may have been any child.
    let isUnknown: Bool
  }

  private func rejectElement(_ value: JSONValue, of relationship: RelationshipPlan, reason: String) {
    let record = declaredRecord(of: relationship)
    counts[record].received += 1
    counts[record].rejected += 1
    if relationship.branches.contains(where: { !plan.rows[$0.child].key.isEmpty }) { unsweepable.insert(record) }
    reject(record: record, value: value, field: nil, reason: reason, contexts: [])
  }

  private func warnIncomplete(_ relationship: RelationshipPlan, of parent: ParentRow) {
    let record = plan.recordNames[plan.rows[parent.plan].record]
    guard warnedIncomplete.insert("\(record).\(relationship.name)").inserted else { return }
    warn("'\(record)' has lists of '\(relationship.name)' that are not complete: they are added to, and nothing goes")
  }

  private func chooseBranches(of relationship: RelationshipPlan, from start: Int) {
    guard let choice = relationship.choice else { return }
    let declarations = relationship.branches.map(\.declaration)
    for index in start..<elements.count {
      choose(declarations, by: choice, for: &elements[index])
      let branch = elements[index].branch
      guard branch >= 0, relationship.isSameObject else { continue }
      let isThere = isPresent(relationship.branches[branch].child, in: elements[index].value)
      if !isThere { elements[index].branch = Element.noBranch }
    }
  }

  /// A child with a key: its key goes into the parent's columns.
  private func mapOne(_ branch: Branch, _ columns: [Int], of parent: ParentRow) throws {
    var key = [Cell](repeating: .null, count: columns.count)
    var isRejected = branch.isUnknown
    let element = elements.count > branch.start ? elements[branch.start] : nil
    if element?.branch == Element.rejected { isRejected = true }
    if let element, element.branch == branch.number {
      switch try map(element, row: branch.plan.child, parent: parent) {
      case .row(let row):
        let child = ParentRow(plan: branch.plan.child, row: row)
        key = rows[branch.plan.child].plan.key.map { cell(of: child, column: $0) }
      case .rejected(let known):
        if let known { key = known }
        isRejected = true
      case .gone: break
      }
    }
    let table = rows[parent.plan].plan.table
    for (column, cell) in zip(columns, key) {
      var cell = cell
      if isRejected { cell.rule = .keepIfEqual }
      batch.set(cell, at: column, ofRow: parent.row, in: table)
    }
  }

  /// Children without a key: rows of a table of their own.
  private func mapKeyless(_ branch: Branch, of parent: ParentRow) throws {
    let child = row(branch.plan.child)
    let table = child.pointee.table
    let mark = child.pointee.isSelfNesting ? batch.mark : nil
    let statement = beginList(in: table, of: parent, isPartial: branch.isPartial)
    var first = lentBatch._withUnsafeGuaranteedRef { $0.rowCount(of: table) }
    var own: [Int] = []
    var next = branch.start
    let end = elements.count
    while next < end {
      defer { next += 1 }
      let row = mark == nil ? 0 : batch.rowCount(of: table)
      var mapped = Mapped.rejected(key: nil)
      if elements[next].branch != Element.rejected {
        guard elements[next].branch == branch.number else { continue }
        mapped = try map(elements[next], row: branch.plan.child, parent: parent)
      }
      if case .gone = mapped { continue }
      if mark != nil { own.append(row) }
      if case .rejected = mapped {
        beginCells(of: child, position: elements[next].index, parent: parent)
        appendShield(of: child)
      }
    }
    if let mark {
      batch.gather(own, ofTable: table, since: mark)
      first = batch.rowCount(of: table) - own.count
    }
    lentBatch._withUnsafeGuaranteedRef { $0.set(first..<$0.rowCount(of: table), ofList: statement, in: table) }
  }

  /// Children with a key in a list: rows of their own, and links, or memberships without a position.
  private func mapLinks(_ branch: Branch, table: Int, of parent: ParentRow, hasPosition: Bool) throws {
    let statement = beginList(in: table, of: parent, isPartial: branch.isPartial)
    let firstCell = linkCells.count
    var headers: [RowHeader] = []
    defer { linkCells.removeLast(linkCells.count - firstCell) }
    var hasUnknown = branch.isUnknown
    let child = row(branch.plan.child).pointee.plan
    var next = branch.start
    let end = elements.count
    while next < end {
      defer { next += 1 }
      var header = RowHeader(body: bodyNumber)
      var mapped = Mapped.rejected(key: nil)
      if elements[next].branch != Element.rejected {
        guard elements[next].branch == branch.number else { continue }
        mapped = try map(elements[next], row: branch.plan.child, parent: parent)
      }
      switch mapped {
      case .row(let row):
        let reference = ParentRow(plan: branch.plan.child, row: row)
        for column in child.key { linkCells.append(cell(of: reference, column: column)) }
        header.parent = RowReference(table: child.table, row: row)
      case .rejected(let key):
        if key == nil { hasUnknown = true }
        if key == nil, !hasPosition { continue }
        // Without a key the link at its position stays.
        linkCells += key ?? child.key.map { _ in .null }
        header.isShield = true
      case .gone: continue
      }
      if hasPosition { linkCells.append(.integer(Int64(elements[next].index))) }
      headers.append(header)
    }
    let first = batch.rowCount(of: table)
    let width = child.key.count + (hasPosition ? 1 : 0)
    let filled = copyIdentity(of: parent)
    for (index, header) in headers.enumerated() {
      let from = firstCell + index * width
      for place in 0..<width { cells[filled + place] = linkCells[from + place] }
      _ = batch.append(cells, header, to: table)
    }
    batch.set(first..<batch.rowCount(of: table), ofList: statement, in: table, hasUnknown: hasUnknown)
  }

  /// Statements keep document order, a parent's before those of the records nested in it, wherever their rows come.
  private func beginList(in table: Int, of parent: ParentRow, isPartial: Bool) -> Int {
    _ = copyIdentity(of: parent)
    let reference = RowReference(table: row(parent.plan).pointee.table, row: parent.row)
    let list = ListStatement(body: bodyNumber, rows: 0..<0, isPartial: isPartial, parent: reference)
    return lentBatch._withUnsafeGuaranteedRef { $0.append(list, ofParent: cells, to: table) }
  }

  // MARK: finding children

  private func findChildren(_ relationship: RelationshipPlan, base: Int) -> Children {
    if relationship.isSameObject { return sameObject(relationship) }
    var value: JSONValue
    var rest = relationship.access.rest
    switch relationship.access.origin {
    case .member(let node):
      let slot = slots[base + node]
      guard slot >= 0 else {
        return obstacle(to: relationship.access, node: node, base: base).map { .wrong($0.value, $0.fault) } ?? .missing
      }
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

  /// The child is built from the parent's own members, when one of them is there.
  private func sameObject(_ relationship: RelationshipPlan) -> Children {
    let value = frames[frames.count - 1].value
    // Of several kinds, the choice decides first which members count.
    if relationship.choice == nil, !isPresent(relationship.branches[0].child, in: value) { return .missing }
    elements.append(Element(value: value, index: relationship.onlyIndex, keyNode: -1, isParentsObject: true))
    return .elements(from: elements.count - 1)
  }

  private func isPresent(_ child: Int, in value: JSONValue) -> Bool {
    let nodes = row(child).pointee.members.nodes
    let base = slots.push(row(child).pointee.members, of: value)
    defer { slots.pop(to: base) }
    return nodes.count == 1
      || nodes.indices.contains { node in node > 0 && nodes[node].children.isEmpty && slots[base + node] >= 0 }
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
        value, "a list stands where one '\(plan.recordNames[declaredRecord(of: relationship)])' is declared")
    case .array where isList:
      var (index, node) = (0, value.index + 1)
      let end = value.next
      while node < end {
        let element = value.at(node)
        if !element.isNull { elements.append(Element(value: element, index: index, keyNode: keyNode)) }
        index += 1
        node = element.next
      }
    default: elements.append(Element(value: value, index: relationship.onlyIndex, keyNode: keyNode))
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
      let path = relationship.access.path
      let step = path.steps.count - rest.steps.count + wrong.step
      return .wrong(wrong.value, wrongShape(of: wrong.value.kind, in: path, at: step))
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

  /// The record or choice that the mapping declares there.
  private func declaredRecord(of relationship: RelationshipPlan) -> Int {
    relationship.choice.map { plan.choices[$0].record } ?? plan.rows[relationship.branches[0].child].record
  }
}

extension RelationshipPlan {
  /// The number of an element that is the only one: in a list it is the first, a single child has none.
  fileprivate var onlyIndex: Int { isList ? 0 : -1 }
}
