import Diagnostics

/// Keys, ways to write, and the columns that a record names beside its key.
extension RecordChecks {
  func key(of record: RecordDeclaration) {
    var first: [NameKey: SourceSpan] = [:]
    let columns = record.fields.map(\.column.value)
    let known = Set(columns.map { NameKey($0) })
    for column in record.key {
      if let before = first[NameKey(column.value)] {
        context.report(
          .duplicateName,
          "the column '\(column.value)' stands twice in 'key', first in \(before.place(from: column.span))",
          at: column.span)
        continue
      }
      first[NameKey(column.value)] = column.span
      if !record.hasFields || known.contains(NameKey(column.value)) { continue }
      let nearest = NearestName.meant(by: column.value, among: columns)
      context.report(
        .unknownColumn, "the key column '\(column.value)' is no field of '\(record.name.value)'", at: column.span,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "add it to 'fields'")
    }
  }

  func identity(of record: RecordDeclaration) {
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

  func columnsNamedElsewhere(of record: RecordDeclaration) {
    if let modified = record.modified, record.hasFields {
      let columns = record.fields.map(\.column.value)
      if !columns.contains(where: { $0.isSame(as: modified.value) }) {
        unknown(modified, what: "'modified'", of: record, among: columns)
      }
    }
    for index in record.indexes { columns(of: index, in: record) }
  }

  private func columns(of declaration: IndexDeclaration, in record: RecordDeclaration) {
    var met: Set<NameKey> = []
    for column in declaration.columns {
      if !met.insert(NameKey(folding: column.value)).inserted {
        context.report(.duplicateName, "the column '\(column.value)' stands twice in one index", at: column.span)
      } else if record.hasFields, !index.hasColumn(column.value, record) {
        unknown(column, what: "an index", of: record, among: index.columns(of: record))
      }
    }
  }

  private func unknown(_ column: Located<String>, what: String, of record: RecordDeclaration, among known: [String]) {
    let nearest = NearestName.meant(by: column.value, among: known)
    context.report(
      .unknownColumn, "\(what) names the column '\(column.value)', which '\(record.name.value)' does not have",
      at: column.span, hint: nearest.map { "did you mean '\($0)'?" })
  }
}
