import Records
import Store

/// The tables that a mapping wants as they are stored, under the names that they have once its renames are done.
struct StoredTables {
  /// A step of a rename, of a table or of a column.
  struct Rename: Hashable {
    var former: String
    var table: String
    /// The column's new name; nil when the table is renamed.
    var column: String?

    var sql: String {
      let (old, new) = (Identifier.quoted(former), Identifier.quoted(column ?? table))
      guard column != nil else { return "ALTER TABLE \(old) RENAME TO \(new)" }
      return "ALTER TABLE \(Identifier.quoted(table)) RENAME COLUMN \(old) TO \(new)"
    }

    /// The noted types follow, so that a later change of a type still knows what the values are.
    var note: String {
      let (old, new) = (Identifier.literal(former), Identifier.literal(column ?? table))
      guard column != nil else {
        return "UPDATE OR REPLACE _ingest_schema SET \"table\" = \(new) WHERE \"table\" = \(old) COLLATE NOCASE"
      }
      return "UPDATE OR REPLACE _ingest_schema SET \"column\" = \(new) "
        + "WHERE \"column\" = \(old) COLLATE NOCASE AND \"table\" = \(Identifier.literal(table)) COLLATE NOCASE"
    }
  }

  private(set) var tables: [FoldedName: StoredTable] = [:]
  private(set) var renames: [Rename] = []

  init(_ reader: SchemaReader, wanted: [TableShape]) throws(StoreError) {
    for name in wanted.flatMap({ [$0.name] + ($0.renamedFrom.map { [$0] } ?? []) }) {
      tables[FoldedName(name)] = try reader.table(name)
    }
    // One rename can make room for another: each round does at least one, or is the last.
    var count = -1
    while renames.count > count {
      count = renames.count
      for shape in wanted { renameTable(of: shape) }
    }
    for shape in wanted {
      count = -1
      while renames.count > count {
        count = renames.count
        for column in shape.columns { rename(column, in: shape) }
      }
    }
    // A column that is named after a key takes part in the key's rename; what is named after that one, in the next
    // round.
    count = -1
    while renames.count > count {
      count = renames.count
      for shape in wanted { for key in shape.foreignKeys { follow(key, of: shape) } }
    }
  }

  subscript(name: String) -> StoredTable? { tables[FoldedName(name)] }

  /// Columns of a table that are renamed: the new name by the old one.
  func renamedColumns(of table: String) -> [FoldedName: String] {
    var names: [FoldedName: String] = [:]
    guard let stored = self[table] else { return [:] }
    for rename in renames where FoldedName(rename.table) == FoldedName(table) {
      guard let name = rename.column, let column = stored.column(FoldedName(name)) else { continue }
      names[FoldedName(column.spelling)] = name
    }
    return names
  }

  private mutating func renameTable(of shape: TableShape) {
    guard let name = shape.renamedFrom else { return }
    let (former, new) = (FoldedName(name), FoldedName(shape.name))
    guard tables[new] == nil, let stored = tables[former], stored.kind == "table" else { return }
    // What has just got that name is another one.
    guard FoldedName(stored.spelling) == former else { return }
    tables[former] = nil
    tables[new] = stored
    renames.append(Rename(former: stored.spelling, table: shape.name))
    changeReferences { if $0.table == former { $0.table = new } }
  }

  /// `user_id` becomes `user_uid` where the key of users, `id`, becomes `uid`.
  private mutating func follow(_ key: ForeignKey, of shape: TableShape) {
    for (column, referenced) in zip(key.columns, key.referenced) {
      let name = shape.columns[column].name
      let rename = renames.first {
        $0.column.map { FoldedName($0) } == FoldedName(referenced) && FoldedName($0.table) == FoldedName(key.table)
      }
      guard let rename, name.utf8.reversed().starts(with: referenced.utf8.reversed()), let stored = self[shape.name]
      else { continue }
      let stem = String(decoding: name.utf8.dropLast(referenced.utf8.count), as: UTF8.self)
      let former = FoldedName(stem + rename.former)
      let isIts = stored.references.contains { $0.table == FoldedName(key.table) && $0.columns.contains(former) }
      let isWanted = shape.columns.contains { FoldedName($0.name) == former }
      if isIts && !isWanted { self.rename(shape.columns[column], from: former, in: shape) }
    }
  }

  private mutating func rename(_ column: ColumnShape, in shape: TableShape) {
    guard let name = column.renamedFrom else { return }
    rename(column, from: FoldedName(name), in: shape)
  }

  private mutating func rename(_ column: ColumnShape, from former: FoldedName, in shape: TableShape) {
    guard var stored = self[shape.name] else { return }
    let new = FoldedName(column.name)
    guard stored.column(new) == nil, let found = stored.column(former), FoldedName(found.spelling) == former else {
      return
    }
    let table = FoldedName(shape.name)
    stored.rename(former, to: new)
    tables[table] = stored
    renames.append(Rename(former: found.spelling, table: shape.name, column: column.name))
    changeReferences {
      if $0.table == table { $0.referenced = $0.referenced.map { $0 == former ? new : $0 } }
    }
  }

  private mutating func changeReferences(_ change: (inout StoredTable.Reference) -> Void) {
    for name in tables.keys {
      guard var stored = tables[name] else { continue }
      stored.references = Set(
        stored.references.map { reference in
          var reference = reference
          change(&reference)
          return reference
        })
      tables[name] = stored
    }
  }
}
