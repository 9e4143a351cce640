import Diagnostics
import JSONReading
import MappingLanguage
import Records
import Values

/// The second pass: relationships, and with them the tables of keyless children and of links.
extension PlanCompiler {
  mutating func compileRelationships() {
    var next = 0
    while next < pending.count {
      let row = pending[next]
      next += 1
      for relationship in declaration(ofRow: row).relationships { compile(relationship, of: row) }
    }
  }

  private mutating func compile(_ relationship: RelationshipDeclaration, of row: Int) {
    guard let childIndex = recordIndex(relationship.record.value) else { return }
    let child = mapping.records[childIndex]
    guard !rows[row].identity.isEmpty else {
      report(
        .notYetAvailable, "children of an appended record are not available yet", at: relationship.name.span,
        hint: "give '\(declaration(ofRow: row).name.value)' a key")
      return
    }
    // The reader has reported it.
    if child.isAppended { return }
    let plan: RelationshipPlan? =
      child.key.isEmpty
      ? keyless(relationship, of: row, childIndex) : keyed(relationship, of: row, childIndex)
    if let plan { rows[row].relationships.append(plan) }
  }

  // MARK: children with a key

  private mutating func keyed(
    _ relationship: RelationshipDeclaration, of row: Int, _ childIndex: Int
  ) -> RelationshipPlan? {
    guard let childRow = ownRow[childIndex] else { return nil }
    reached.insert(childIndex)
    let storage: RelationshipPlan.Storage =
      switch relationship.shape {
      case .one: .columns(keyColumns(for: relationship, of: row, child: childRow))
      case .many: .link(table: linkTable(for: relationship, of: row, child: childRow))
      }
    return relationshipPlan(relationship, of: row, child: childRow, storage: storage)
  }

  /// `<name>_<key>` in the parent, with a foreign key.
  private mutating func keyColumns(for relationship: RelationshipDeclaration, of row: Int, child: Int) -> [Int] {
    let childShape = shape(ofRow: child)
    let table = rows[row].table
    var columns: [Int] = []
    for key in rows[child].key.map({ childShape.columns[$0] }) {
      let column = ColumnShape(
        name: "\(relationship.name.value)_\(key.name)", type: key.type, takesAnyText: key.takesAnyText)
      if let finding = drafts[table].add(column, at: relationship.name.span) { diagnostics.append(finding) }
      columns.append(drafts[table].shape.columns.count - 1)
    }
    rows[row].columnCount = drafts[table].shape.columns.count
    drafts[table].shape.foreignKeys.append(
      ForeignKey(
        columns: columns, table: childShape.name, referenced: rows[child].key.map { childShape.columns[$0].name },
        onDelete: .setNull))
    return columns
  }

  /// `<parent>_<name>`, with the two keys and `position`.
  private mutating func linkTable(for relationship: RelationshipDeclaration, of row: Int, child: Int) -> Int {
    let childShape = shape(ofRow: child)
    let parentKey = parentKeyColumns(of: row)
    let prefix = child == row ? relationship.name.value : SnakeCase.of(declaration(ofRow: child).name.value)
    var columns = rows[child].key.map { index in
      let key = childShape.columns[index]
      return ColumnShape(name: "\(prefix)_\(key.name)", type: key.type, takesAnyText: key.takesAnyText)
    }
    let keyCount = parentKey.count + columns.count
    columns.append(ColumnShape(name: "position", type: .integer))
    let span = relationship.name.span
    var draft = TableDraft(
      TableShape(name: childTableName(relationship, of: row), role: .link, columns: parentKey), record: nil, at: span)
    for column in columns {
      if let finding = draft.add(column, at: span) { diagnostics.append(finding) }
    }
    draft.shape.primaryKey = Array(0..<keyCount)
    draft.shape.parentKey = Array(parentKey.indices)
    draft.shape.position = keyCount
    draft.shape.foreignKeys = [
      parentForeignKey(of: row, columns: draft.shape.parentKey),
      ForeignKey(
        columns: Array(parentKey.count..<keyCount), table: childShape.name,
        referenced: rows[child].key.map { childShape.columns[$0].name }, onDelete: .cascade),
    ]
    return addTable(draft)
  }

  // MARK: children without a key

  private mutating func keyless(
    _ relationship: RelationshipDeclaration, of row: Int, _ childIndex: Int
  ) -> RelationshipPlan? {
    let child = mapping.records[childIndex]
    if let circle = keylessCircle(from: childIndex) {
      report(
        .badRelationship, "the keyless record '\(mapping.records[circle].name.value)' contains itself",
        at: relationship.record.span, hint: "give it a key")
      return nil
    }
    reached.insert(childIndex)
    if let table = child.table,
      let first = drafts.first(where: { $0.relationship != nil && $0.span.isSame(as: table.span) })
    {
      report(
        .duplicateTable,
        "'\(child.name.value)' has no key and names its table '\(table.value)', which the relationship on line "
          + "\(first.relationship?.start.line ?? 0) fills already",
        at: relationship.record.span, hint: "leave 'table' out of '\(child.name.value)', or give it a key")
      return nil
    }
    let isList = relationship.shape == .many
    let parentKey = parentKeyColumns(of: row)
    let shape = TableShape(
      name: child.table?.value ?? childTableName(relationship, of: row), role: isList ? .listChild : .onlyChild)
    let childRow = addRow(
      of: childIndex, table: shape, at: child.table?.span ?? relationship.name.span,
      record: countedName(child.name.value),
      parentKey: parentKey + (isList ? [ColumnShape(name: "position", type: .integer)] : []))
    let table = rows[childRow].table
    drafts[table].relationship = relationship.name.span
    drafts[table].shape.foreignKeys.append(parentForeignKey(of: row, columns: Array(parentKey.indices)))
    return relationshipPlan(relationship, of: row, child: childRow, storage: isList ? .listChild : .onlyChild)
  }

  /// A record that is reached from `start` through keyless children only, and is there already.
  private func keylessCircle(from start: Int) -> Int? {
    var way: [Int] = []
    func visit(_ index: Int) -> Int? {
      if way.contains(index) { return index }
      guard mapping.records[index].key.isEmpty, way.count < 64 else { return way.count < 64 ? nil : index }
      way.append(index)
      defer { way.removeLast() }
      for relationship in mapping.records[index].relationships {
        guard let child = recordIndex(relationship.record.value), mapping.records[child].key.isEmpty else { continue }
        if let circle = visit(child) { return circle }
      }
      return nil
    }
    return visit(start)
  }

  // MARK: what both share

  private mutating func relationshipPlan(
    _ relationship: RelationshipDeclaration, of row: Int, child: Int, storage: RelationshipPlan.Storage
  ) -> RelationshipPlan {
    let path = relationship.from.value
    let isSameObject = path.origin == .value && path.steps.isEmpty
    return RelationshipPlan(
      name: relationship.name.value, isList: relationship.shape == .many,
      access: access(path, members: rows[row].members), isSameObject: isSameObject, child: child, storage: storage)
  }

  /// `<parent>_<key>` for each column by which children refer to the parent.
  private func parentKeyColumns(of row: Int) -> [ColumnShape] {
    let shape = shape(ofRow: row)
    let prefix = parentPrefix(of: row)
    return rows[row].identity.map { index in
      let column = shape.columns[index]
      return ColumnShape(name: "\(prefix)_\(column.name)", type: column.type, takesAnyText: column.takesAnyText)
    }
  }

  /// The record's name; of an inline child, the relationship's.
  private func parentPrefix(of row: Int) -> String {
    let declaration = declaration(ofRow: row)
    guard declaration.isInline, let last = declaration.name.value.split(separator: ".").last else {
      return SnakeCase.of(declaration.name.value)
    }
    return SnakeCase.of(String(last))
  }

  /// `<parent>_<name>`; below a keyless record its table's name takes the parent's place.
  private func childTableName(_ relationship: RelationshipDeclaration, of row: Int) -> String {
    let prefix = rows[row].key.isEmpty ? shape(ofRow: row).name : parentPrefix(of: row)
    return "\(prefix)_\(relationship.name.value)"
  }

  private func parentForeignKey(of row: Int, columns: [Int]) -> ForeignKey {
    let shape = shape(ofRow: row)
    return ForeignKey(
      columns: columns, table: shape.name, referenced: rows[row].identity.map { shape.columns[$0].name },
      onDelete: .cascade)
  }
}

extension SourceSpan {
  fileprivate func isSame(as other: SourceSpan) -> Bool { file === other.file && start == other.start }
}
