import Diagnostics
import MappingLanguage
import Records

/// What the store has no room for, or no name.
extension PlanCompiler {
  mutating func checkCapacity() {
    let isPostgreSQL = mapping.store?.isPostgreSQL ?? false
    for number in drafts.indices where drafts[number].shape.role != .membership {
      if isPostgreSQL { checkPostgreSQL(drafts[number]) } else { checkSQLite(drafts[number]) }
    }
  }

  /// At the first column that has no room.
  private mutating func checkColumns(of draft: TableDraft, most: Int, _ store: String) {
    let generated = draft.shape.primaryKey.isEmpty ? 1 : 0
    let count = draft.shape.columns.count + generated
    guard count > most else { return }
    report(
      .storeLimit, "the table '\(draft.shape.name)' has \(count) columns, and \(store) keeps \(most)",
      at: draft.columnSpans[most - generated],
      hint: "divide it among several records, or keep the rest with 'unmapped: capture'")
  }

  // MARK: SQLite

  private static let mostSQLiteColumns = 2000
  private static let rowNumbers = ["rowid", "_rowid_", "oid"]

  private mutating func checkSQLite(_ draft: TableDraft) {
    let shape = draft.shape
    checkColumns(of: draft, most: Self.mostSQLiteColumns, "SQLite")
    // The walk's scope, and whether it has seen the row.
    let kept = shape.primaryKey.count + 2
    if shape.sweep != nil || shape.write == .replace, kept > Self.mostSQLiteColumns {
      report(
        .storeLimit,
        "the key of '\(shape.name)' has \(shape.primaryKey.count) columns: what walks have seen is kept with two more, "
          + "and SQLite keeps \(Self.mostSQLiteColumns)", at: draft.span, hint: "take a shorter key")
    }
    let hiding = shape.columns.indices.filter { column in
      // What is shorter or longer is none of them.
      3...7 ~= shape.columns[column].name.utf8.count
        && Self.rowNumbers.contains { $0.isSameFoldingASCII(as: shape.columns[column].name) }
    }
    guard hiding.count >= Self.rowNumbers.count else { return }
    report(
      .reservedName,
      "the table '\(shape.name)' has columns named rowid, _rowid_ and oid: no name is left for the number of its rows",
      at: draft.columnSpans[hiding[Self.rowNumbers.count - 1]], hint: "give one of them another name")
  }

  // MARK: PostgreSQL

  private static let mostPostgreSQLColumns = 1600
  private static let mostIndexColumns = 32
  private static let systemColumns: Set<String> = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]

  private mutating func checkPostgreSQL(_ draft: TableDraft) {
    let shape = draft.shape
    checkLength(shape.name, "table", at: draft.span)
    for (column, span) in zip(shape.columns, draft.columnSpans) {
      checkLength(column.name, "column", at: span)
      if Self.systemColumns.contains(column.name) {
        report(
          .reservedName, "every table of PostgreSQL has a column '\(column.name)' already", at: span,
          hint: "give the field another name")
      }
    }
    checkColumns(of: draft, most: Self.mostPostgreSQLColumns, "PostgreSQL")
    let long = ([shape.primaryKey] + shape.indexes.map(\.columns)).filter { $0.count > Self.mostIndexColumns }
    for key in long {
      report(
        .storeLimit,
        "a key or index of '\(shape.name)' has \(key.count) columns, and PostgreSQL keeps \(Self.mostIndexColumns)",
        at: draft.columnSpans[key[Self.mostIndexColumns]], hint: "take a shorter one")
    }
  }

  private mutating func checkLength(_ name: String, _ what: String, at span: SourceSpan) {
    let (length, longest) = (name.utf8.count, 63)
    guard length > longest else { return }
    report(
      .badName, "the \(what) '\(name)' has a name of \(length) bytes, and PostgreSQL takes \(longest)", at: span,
      hint: "give it a shorter one")
  }
}

extension String {
  /// As SQLite compares names: ASCII letters fold, nothing else does.
  fileprivate func isSameFoldingASCII(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0 == (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $1 ? $1 + 32 : $1) }
  }
}
