import Diagnostics
import MappingLanguage
import Records

/// How rows of a record are written: modes, marks of time, indexes, and the columns that the record itself adds.
extension PlanCompiler {
  /// What `write`, `modified` and `sweep` say, for a record with a table of its own.
  mutating func setWriting(of row: Int, _ declaration: RecordDeclaration) {
    let table = rows[row].table
    if let mode = declaration.write?.value { drafts[table].shape.write = WriteMode(rawValue: mode.rawValue) ?? .upsert }
    if let name = declaration.modified?.value {
      drafts[table].shape.modified = drafts[table].column(named: name)
    }
    if let sweep = declaration.sweep {
      drafts[table].shape.sweep = SweepRule(
        condition: sweep.condition?.value,
        conditionPlace: sweep.condition.map {
          "\($0.span.place): 'sweep.where' of the record '\(declaration.name.value)'"
        },
        maxDelete: bound(sweep.maxDelete))
    }
    rows[row].notesRejected = declaration.sweep != nil || declaration.isReplaced
  }

  /// What a rejected row refers to counts as seen with it, where that may be swept. A rejected child is there, so no
  /// relationship of another parent sweeps it.
  mutating func noteRejectedRows() {
    let swept = Set(rows.indices.filter { rows[$0].notesRejected })
    if !swept.isEmpty {
      let reaching = PlaceReach.rows(reaching: swept, in: rows)
      for row in rows.indices where !rows[row].key.isEmpty { rows[row].notesRejected = reaching.contains(row) }
    }
    for row in orphanedRows { rows[row].notesRejected = true }
  }

  private func bound(_ bound: SweepDeclaration.MaxDelete?) -> SweepRule.Bound? {
    switch bound {
    case nil: nil
    case .rows(let count): .rows(count)
    case .share(let thousandths): .share(thousandths)
    }
  }

  /// Static, since a method of the compiler would copy it, and with it all tables.
  private static func addIndexes(of declaration: RecordDeclaration, to draft: inout TableDraft) {
    for field in declaration.fields where field.index != .none || field.references != nil {
      guard let index = draft.column(named: field.column.value) else { continue }
      draft.shape.indexes.append(IndexShape(columns: [index], isUnique: field.index == .unique))
    }
    for index in declaration.indexes {
      let columns = index.columns.compactMap { draft.column(named: $0.value) }
      guard columns.count == index.columns.count else { continue }
      draft.shape.indexes.append(
        IndexShape(
          columns: columns, isUnique: index.isUnique, condition: index.condition?.value,
          conditionPlace: index.condition.map {
            "\($0.span.place): 'indexes.where' of the record '\(declaration.name.value)'"
          }))
    }
  }

  /// Columns that stand behind all others, once relationships have added theirs: `_extra`, the validity of history's
  /// versions, and those of `track`.
  mutating func finishTables() {
    for row in rows.indices {
      let declaration = declaration(ofRow: row)
      let table = rows[row].table
      Self.addIndexes(of: declaration, to: &drafts[table])
      rows[row].hasUniqueIndex = drafts[table].shape.indexes.contains(where: \.isUnique)
      switch declaration.unmapped {
      case .ignore: break
      case .warn: rows[row].unmapped = .warn
      case .fail: rows[row].unmapped = .fail
      case .capture:
        rows[row].unmapped = .capture(column: append(ColumnShape(name: "_extra", type: .json), to: table, declaration))
      }
      if declaration.write?.value == .history {
        let from = append(ColumnShape(name: "valid_from", type: .timestamp), to: table, declaration)
        _ = append(ColumnShape(name: "valid_to", type: .timestamp), to: table, declaration)
        drafts[table].shape.primaryKey.append(from)
      }
      if declaration.isTracked {
        let names: [(String, ColumnType)] = [
          ("_ingested_at", .timestamp), ("_run_id", .integer), ("_source_url", .text),
        ]
        rows[row].tracking = names.map { append(ColumnShape(name: $0.0, type: $0.1), to: table, declaration) }
        drafts[table].shape.tracking = rows[row].tracking
      }
      rows[row].columnCount = drafts[table].shape.columns.count
    }
    for row in rows.indices { addReferences(of: row) }
  }

  /// What `references` of a record's fields leads to, in each table that the other record fills.
  private mutating func addReferences(of row: Int) {
    for field in declaration(ofRow: row).fields {
      guard let reference = field.references, let target = recordIndex(reference.record.value),
        let column = drafts[rows[row].table].column(named: field.column.value),
        let name = reference.column?.value ?? mapping.records[target].key.first?.value
      else { continue }
      let targets = rows.indices.filter { declarationOfRow[$0] == target }.map {
        SoftReference.Target(table: shape(ofRow: $0).name, column: name)
      }
      guard !targets.isEmpty else { continue }
      drafts[rows[row].table].shape.references.append(SoftReference(column: column, targets: targets))
    }
  }

  private mutating func append(_ column: ColumnShape, to table: Int, _ declaration: RecordDeclaration) -> Int {
    if let finding = drafts[table].add(column, at: declaration.name.span) { diagnostics.append(finding) }
    return drafts[table].shape.columns.count - 1
  }
}
