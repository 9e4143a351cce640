import Diagnostics
import Records
import Values

/// What can be said of records without a plan: names, keys, and what relationships ask of a child.
///
/// Tables, foreign keys, and what stands at places are the plan's matter.
struct RecordChecks {
  let records: [RecordDeclaration]
  /// The mapping names a PostgreSQL store.
  let isPostgreSQL: Bool
  let context: ReadingContext
  private let byName: [NameKey: RecordDeclaration]

  init(records: [RecordDeclaration], store: StoreDeclaration?, context: ReadingContext) {
    if case .text(let url) = store?.url?.value.pieces.first {
      isPostgreSQL = ["postgres:", "postgresql:"].contains { url.utf8.starts(with: $0.utf8) }
    } else {
      isPostgreSQL = false
    }
    self.records = records
    self.context = context
    byName = Dictionary(records.map { (NameKey($0.name.value), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func run() {
    for record in records {
      if let table = record.table { reserved(table, what: "table") }
      columns(of: record)
      key(of: record)
      identity(of: record)
      for relationship in record.relationships { child(of: relationship) }
    }
    names()
  }

  // MARK: Names

  private func names() {
    var first: [NameKey: SourceSpan] = [:]
    for record in records {
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
    for field in record.fields {
      AmbiguousFormats.check(field, in: context)
      if isPostgreSQL, field.conversion.type == .any {
        context.report(
          .unknownType, "the column '\(field.column.value)' has no type, so PostgreSQL stores it as text",
          at: field.column.span, hint: "give it a type", severity: .warning)
      }
      reserved(field.column, what: "column")
      if record.write?.value == .append, NameKey(folding: field.column.value) == NameKey("_id") {
        context.report(.reservedName, "'_id' is the generated key of a record that is appended", at: field.column.span)
      }
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

  // MARK: Identity

  private func key(of record: RecordDeclaration) {
    var first: [NameKey: SourceSpan] = [:]
    let columns = record.fields.map(\.column.value)
    for column in record.key {
      if let before = first[NameKey(column.value)] {
        context.report(
          .duplicateName,
          "the column '\(column.value)' stands twice in 'key', first in \(before.place(from: column.span))",
          at: column.span)
        continue
      }
      first[NameKey(column.value)] = column.span
      if !record.hasFields || columns.contains(where: { $0.isSame(as: column.value) }) { continue }
      let nearest = NearestName.nearest(to: column.value, among: columns)
      context.report(
        .unknownColumn, "the key column '\(column.value)' is no field of '\(record.name.value)'", at: column.span,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "add it to 'fields'")
    }
  }

  private func identity(of record: RecordDeclaration) {
    let write = record.write?.value
    if write == .append, let key = record.keySpan {
      return context.report(
        .badIdentity, "'\(record.name.value)' is appended, so it has no 'key'", at: key,
        hint: "leave out 'key', or 'write: append'")
    }
    guard record.key.isEmpty, record.keySpan == nil else { return }
    if let written = record.write, written.value == .upsert || written.value == .insert || written.value == .history {
      return context.report(
        .badIdentity, "'write: \(written.value.rawValue)' needs a 'key'", at: written.span)
    }
  }

  // MARK: Relationships

  private func child(of relationship: RelationshipDeclaration) {
    guard let child = byName[NameKey(relationship.record.value)] else { return }
    let name = relationship.record
    let hasKey = child.keySpan != nil
    if child.write?.value == .replace && !hasKey {
      context.report(
        .badRelationship, "'\(name.value)' cannot be a child: it replaces its rows and has no key", at: name.span)
    }
    for said in [relationship.via, relationship.policy].compactMap(\.self) {
      let isVia = said.value.isSame(as: "link") || said.value.isSame(as: "child")
      if !isVia, !said.value.isSame(as: "union") { continue }
      if relationship.shape == .one {
        context.report(
          .badRelationship, "'\(said.value)' is for a list of records, and '\(relationship.name.value)' is one",
          at: said.span)
      } else if !hasKey {
        context.report(
          .badRelationship, "'\(said.value)' needs a child with a key, and '\(name.value)' has none", at: said.span)
      }
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
