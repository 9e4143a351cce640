import Diagnostics
import JSONReading
import MappingLanguage
import Records
import Values

/// The first pass: a table and a row plan for every record that has a key, or is appended.
extension PlanCompiler {
  mutating func compileRecords() {
    for (index, declaration) in mapping.records.enumerated() where declaration.hasOwnTable {
      let record = countedName(declaration.name.value)
      let shape = TableShape(name: declaration.table?.value ?? SnakeCase.of(declaration.name.value), role: .record)
      let row = addRow(
        of: index, table: shape, at: declaration.table?.span ?? declaration.name.span, record: record, parentKey: [])
      ownRow[index] = row
      if !declaration.key.isEmpty { setOwnKey(of: row, declaration) }
      setWriting(of: row, declaration)
    }
  }

  /// Adds a table and its row plan: the parent's key columns first, then the fields.
  mutating func addRow(
    of declarationIndex: Int, table shape: TableShape, at span: SourceSpan, record: Int, parentKey: [ColumnShape]
  ) -> Int {
    let declaration = mapping.records[declarationIndex]
    var shape = shape
    shape.columns = parentKey
    if shape.role != .record {
      let keyCount = parentKey.count - (shape.role == .listChild ? 1 : 0)
      shape.parentKey = Array(0..<keyCount)
      shape.primaryKey = Array(parentKey.indices)
      if shape.role == .listChild { shape.position = keyCount }
    }
    var draft = TableDraft(shape, record: record, at: span)
    for field in declaration.fields {
      var column = ColumnShape(
        name: field.column.value, type: field.conversion.type, takesAnyText: field.onInvalid == .keepText,
        description: field.description)
      column.hasFewValues = field.hasFewValues
      if let finding = draft.add(column, at: field.column.span) { diagnostics.append(finding) }
      draft.shape.columns[draft.shape.columns.count - 1].renamedFrom = field.renamedFrom?.value
    }
    draft.shape.renamedFrom = declaration.renamedFrom?.value
    draft.shape.description = declaration.description
    let table = addTable(draft)
    declarationOfRow.append(declarationIndex)
    rows.append(emptyRow(of: declaration, table: table, record: record, shape: draft.shape))
    pending.append(rows.count - 1)
    return rows.count - 1
  }

  private mutating func emptyRow(of declaration: RecordDeclaration, table: Int, record: Int, shape: TableShape)
    -> RowPlan
  {
    let members = MemberTree(memberPaths(of: declaration))
    let first = shape.columns.count - declaration.fields.count
    let keyNames = Set(declaration.key.map { NameKey($0.value) })
    let fields = declaration.fields.enumerated().compactMap { offset, field in
      compileField(
        field, column: first + offset, isKey: keyNames.contains(NameKey(field.column.value)), members: members)
    }
    let filter = recordCondition(declaration.filter, members: members)
    let tombstone = recordCondition(declaration.tombstone, members: members)
    let contexts = contexts(of: declaration, conditions: [filter, tombstone])
    return RowPlan(
      table: table, record: record, columnCount: shape.columns.count, fields: fields, relationships: [],
      members: members, key: [], identity: shape.role == .record ? [] : shape.primaryKey,
      parentKeyCount: shape.parentKey.count, position: shape.position,
      isWrittenWhole: shape.role == .listChild || declaration.isReplaced,
      contexts: contexts, keptContexts: contexts, filter: filter, tombstone: tombstone,
      mappedMembers: mappedMembers(of: declaration))
  }

  /// The `$…` values that fields and conditions read, each once.
  private func contexts(of declaration: RecordDeclaration, conditions: [RecordCondition?]) -> [KeyPath] {
    var paths = declaration.fields.flatMap { field -> [KeyPath] in
      if case .paths(let paths) = field.source { paths.map(\.value) } else { [] }
    }
    paths += conditions.flatMap { $0?.accesses.map(\.path) ?? [] }
    var met: Set<KeyPath> = []
    return paths.filter { $0.origin != .value && met.insert($0).inserted }
  }

  private mutating func setOwnKey(of row: Int, _ declaration: RecordDeclaration) {
    let columns = declaration.key.compactMap { drafts[rows[row].table].column(named: $0.value) }
    rows[row].key = columns
    rows[row].identity = columns
    drafts[rows[row].table].shape.primaryKey = columns
  }

  /// Names of members that a field's or relationship's key path begins with.
  private func mappedMembers(of declaration: RecordDeclaration) -> [JSONName] {
    var names: [JSONName] = []
    var met: Set<JSONName> = []
    var paths = declaration.relationships.map(\.from.value)
    for field in declaration.fields {
      if case .paths(let sources) = field.source { paths += sources.map(\.value) }
    }
    for path in paths where path.origin == .value {
      if let name = path.leadingMembers.first, met.insert(name).inserted { names.append(name) }
    }
    return names
  }

  private func memberPaths(of declaration: RecordDeclaration) -> [[JSONName]] {
    var paths: [KeyPath] = declaration.relationships.map(\.from.value)
    for field in declaration.fields {
      if case .paths(let sources) = field.source { paths += sources.map(\.value) }
    }
    for condition in [declaration.filter, declaration.tombstone] {
      if let condition, let compiled = CompiledCondition.compile(condition.value).condition { paths += compiled.paths }
    }
    for relationship in declaration.relationships {
      if let complete = relationship.complete, let compiled = CompiledCondition.compile(complete.value).condition {
        paths += compiled.paths
      }
    }
    return paths.filter { $0.origin == .value }.map(\.leadingMembers)
  }
}

extension FieldDeclaration {
  fileprivate var hasFewValues: Bool {
    let spec = conversion
    return spec.type == .boolean || spec.map != nil && spec.mapElse == nil || spec.check?.oneOf != nil
  }
}
