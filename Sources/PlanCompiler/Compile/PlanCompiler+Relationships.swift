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
    guard let index = recordIndex(relationship.record.value), let leaves = leaves(of: index) else { return }
    reach(index)
    var branches: [RelationshipPlan.Branch] = []
    for leaf in leaves {
      // A choice's children are told apart by their record's name.
      let name =
        choiceOf[index] == nil
        ? relationship.name.value
        : "\(relationship.name.value)_\(SnakeCase.of(mapping.records[leaf].name.value))"
      guard let branch = compileBranch(relationship, named: name, of: row, leaf) else { return }
      branches.append(branch)
    }
    let path = relationship.from.value
    let complete = recordCondition(relationship.complete, members: rows[row].members)
    rows[row].relationships.append(
      RelationshipPlan(
        name: relationship.name.value, isList: relationship.shape == .many,
        access: access(path, members: rows[row].members), choice: choiceOf[index], branches: branches,
        isUnion: relationship.isUnion, complete: complete, failsParent: relationship.failsParent))
  }

  private mutating func compileBranch(
    _ relationship: RelationshipDeclaration, named name: String, of row: Int, _ leaf: Int
  ) -> RelationshipPlan.Branch? {
    let child = mapping.records[leaf]
    // The reader has reported it.
    if child.isAppended || (child.isReplaced && child.key.isEmpty) { return nil }
    return child.key.isEmpty
      ? keyless(relationship, named: name, of: row, leaf) : keyed(relationship, named: name, of: row, leaf)
  }

  // MARK: children with a key

  private mutating func keyed(
    _ relationship: RelationshipDeclaration, named name: String, of row: Int, _ childIndex: Int
  ) -> RelationshipPlan.Branch? {
    guard let childRow = ownRow[childIndex] else { return nil }
    if relationship.sweepsOrphans { orphanedRows.insert(childRow) }
    let storage: RelationshipPlan.Storage =
      switch relationship.shape {
      case .one: .columns(keyColumns(for: relationship, named: name, of: row, child: childRow))
      case .many where relationship.isViaChild:
        .membership(table: membership(for: relationship, named: name, of: row, child: childRow))
      case .many: .link(table: linkTable(for: relationship, named: name, of: row, child: childRow))
      }
    return RelationshipPlan.Branch(declaration: childIndex, child: childRow, storage: storage)
  }

  /// The parent's key in the child's table, and a table of the batch that says which children a parent has.
  private mutating func membership(
    for relationship: RelationshipDeclaration, named name: String, of row: Int, child: Int
  ) -> Int {
    let parentKey = parentKeyColumns(of: row)
    let table = rows[child].table
    var columns: [Int] = []
    for column in parentKey {
      if let finding = drafts[table].add(column, at: relationship.name.span) { diagnostics.append(finding) }
      columns.append(drafts[table].shape.columns.count - 1)
    }
    rows[child].columnCount = drafts[table].shape.columns.count
    var key = parentForeignKey(of: row, columns: columns)
    key.onDelete = .setNull
    drafts[table].shape.foreignKeys.append(key)
    let childKey = rows[child].key.map { drafts[table].shape.columns[$0] }
    var shape = TableShape(
      name: "\(childTableName(named: name, of: row)) (members)", role: .membership, columns: parentKey + childKey)
    shape.parentKey = Array(parentKey.indices)
    shape.primaryKey = Array(shape.columns.indices)
    shape.child = table
    shape.childColumns = columns
    shape.sweepsOrphans = relationship.sweepsOrphans
    drafts.append(TableDraft(shape, record: nil, at: relationship.name.span))
    return drafts.count - 1
  }

  /// `<name>_<key>` in the parent, with a foreign key.
  private mutating func keyColumns(
    for relationship: RelationshipDeclaration, named name: String, of row: Int, child: Int
  ) -> [Int] {
    let childShape = shape(ofRow: child)
    let table = rows[row].table
    var columns: [Int] = []
    for key in rows[child].key.map({ childShape.columns[$0] }) {
      let column = ColumnShape(
        name: "\(name)_\(key.name)", type: key.type, takesAnyText: key.takesAnyText)
      if let finding = drafts[table].add(column, at: relationship.name.span) { diagnostics.append(finding) }
      columns.append(drafts[table].shape.columns.count - 1)
    }
    rows[row].columnCount = drafts[table].shape.columns.count
    drafts[table].shape.foreignKeys.append(
      ForeignKey(
        columns: columns, table: childShape.name, referenced: rows[child].key.map { childShape.columns[$0].name },
        onDelete: .setNull, sweepsOrphans: relationship.sweepsOrphans))
    return columns
  }

  /// `<parent>_<name>`, with the two keys and `position`.
  private mutating func linkTable(
    for relationship: RelationshipDeclaration, named name: String, of row: Int, child: Int
  ) -> Int {
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
      TableShape(name: childTableName(named: name, of: row), role: .link, columns: parentKey), record: nil, at: span)
    for column in columns {
      if let finding = draft.add(column, at: span) { diagnostics.append(finding) }
    }
    draft.shape.primaryKey = Array(0..<keyCount)
    draft.shape.parentKey = Array(parentKey.indices)
    draft.shape.position = keyCount
    draft.shape.child = rows[child].table
    draft.shape.sweepsOrphans = relationship.sweepsOrphans
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
    _ relationship: RelationshipDeclaration, named name: String, of row: Int, _ childIndex: Int
  ) -> RelationshipPlan.Branch? {
    let child = mapping.records[childIndex]
    if let circle = keylessCircle(from: childIndex) {
      report(
        .badRelationship, "the keyless record '\(mapping.records[circle].name.value)' contains itself",
        at: relationship.record.span, hint: "give it a key")
      return nil
    }
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
      name: child.table?.value ?? childTableName(named: name, of: row), role: isList ? .listChild : .onlyChild)
    let childRow = addRow(
      of: childIndex, table: shape, at: child.table?.span ?? relationship.name.span,
      record: countedName(child.name.value),
      parentKey: parentKey + (isList ? [ColumnShape(name: "position", type: .integer)] : []))
    let table = rows[childRow].table
    drafts[table].relationship = relationship.name.span
    drafts[table].shape.foreignKeys.append(parentForeignKey(of: row, columns: Array(parentKey.indices)))
    return RelationshipPlan.Branch(
      declaration: childIndex, child: childRow, storage: isList ? .listChild : .onlyChild)
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

  /// `<parent>_<key>` for each column by which children refer to the parent.
  private func parentKeyColumns(of row: Int) -> [ColumnShape] {
    let shape = shape(ofRow: row)
    let prefix = parentPrefix(of: row)
    // Rows without a key are numbered by the store.
    if rows[row].identity.isEmpty { return [ColumnShape(name: "\(prefix)_\(TableShape.generatedKey)", type: .integer)] }
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
  private func childTableName(named name: String, of row: Int) -> String {
    let shape = shape(ofRow: row)
    let prefix = shape.role == .record ? parentPrefix(of: row) : shape.name
    return "\(prefix)_\(name)"
  }

  private func parentForeignKey(of row: Int, columns: [Int]) -> ForeignKey {
    let shape = shape(ofRow: row)
    return ForeignKey(
      columns: columns, table: shape.name,
      referenced: rows[row].identity.isEmpty
        ? [TableShape.generatedKey] : rows[row].identity.map { shape.columns[$0].name },
      onDelete: .cascade)
  }
}

extension SourceSpan {
  fileprivate func isSame(as other: SourceSpan) -> Bool { file === other.file && start == other.start }
}
