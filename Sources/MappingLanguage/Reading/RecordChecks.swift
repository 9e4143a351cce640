import Diagnostics
import Records
import Values

/// What can be said of records without a plan: names, keys, and what relationships ask of a child.
///
/// Tables, foreign keys, and what stands at places are the plan's matter.
struct RecordChecks {
  let index: RecordIndex
  /// The mapping names a PostgreSQL store.
  let isPostgreSQL: Bool
  let context: ReadingContext

  init(records: [RecordDeclaration], store: StoreDeclaration?, context: ReadingContext) {
    isPostgreSQL = store?.isPostgreSQL ?? false
    index = RecordIndex(records)
    self.context = context
  }

  func run() {
    let choices = ChoiceChecks(index: index, context: context)
    for record in index.records {
      if let table = record.table { reserved(table, what: "table") }
      if let table = record.renamedFrom { reserved(table, what: "table") }
      columns(of: record)
      key(of: record)
      identity(of: record)
      columnsNamedElsewhere(of: record)
      for relationship in record.relationships { child(of: relationship, in: record) }
      choices.check(record)
    }
    names()
    formerNames(index.records.compactMap(\.renamedFrom), of: "records")
  }

  // MARK: Names

  private func names() {
    var first: [NameKey: SourceSpan] = [:]
    for record in index.records {
      let key = NameKey(record.name.value)
      if let before = first[key] {
        context.report(
          .duplicateName,
          "two records are named '\(record.name.value)', the first one in \(before.place(from: record.name.span))",
          at: record.name.span)
      } else {
        first[key] = record.name.span
      }
    }
  }

  private func columns(of record: RecordDeclaration) {
    let generated = record.generatedColumns.filter { !$0.hasPrefix("_ingest") }
    for field in record.fields {
      AmbiguousFormats.check(field, in: context)
      if isPostgreSQL, field.conversion.type == .any {
        context.report(
          .unknownType, "the column '\(field.column.value)' has no type, so PostgreSQL stores it as text",
          at: field.column.span, hint: "give it a type", severity: .warning)
      }
      reserved(field.column, what: "column")
      if let former = field.renamedFrom { reserved(former, what: "column") }
      if generated.isEmpty { continue }
      let name = NameKey(folding: field.column.value)
      if let generated = generated.first(where: { NameKey($0) == name }) {
        context.report(
          .reservedName, "'\(record.name.value)' has a column '\(generated)' that is made for it",
          at: field.column.span,
          hint: "give the field another name")
      }
    }
    formerNames(record.fields.compactMap(\.renamedFrom), of: "columns")
  }

  /// One former name cannot become two.
  private func formerNames(_ names: [Located<String>], of noun: String) {
    var first: [NameKey: SourceSpan] = [:]
    for name in names {
      let key = NameKey(folding: name.value)
      guard let before = first[key] else {
        first[key] = name.span
        continue
      }
      context.report(
        .duplicateName, "two \(noun) were '\(name.value)', the first in \(before.place(from: name.span))", at: name.span
      )
    }
  }

  private func reserved(_ name: Located<String>, what: String) {
    let folded = NameKey(folding: name.value).bytes
    if folded.starts(with: "_ingest".utf8) {
      context.report(
        .reservedName, "the \(what) '\(name.value)' has a reserved name: it begins with '_ingest'", at: name.span)
    } else if what == "table", folded.starts(with: "sqlite_".utf8) {
      context.report(.reservedName, "the table '\(name.value)' has a name that SQLite keeps for itself", at: name.span)
    }
  }
}

extension SourceSpan {
  func isSame(as other: SourceSpan) -> Bool { file === other.file && start == other.start && end == other.end }

  /// "line 5", or the file too when that is another one than `other`'s.
  func place(from other: SourceSpan) -> String {
    file === other.file ? "line \(start.line)" : "\(file.name), line \(start.line)"
  }
}
