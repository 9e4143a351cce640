import Diagnostics
import Records
import Values

/// `references` of fields: what they refer to must be one column, and gives its type to those that have none.
struct ReferenceTypes {
  private let index: RecordIndex
  private let context: ReadingContext

  private init(_ records: [RecordDeclaration], _ context: ReadingContext) {
    index = RecordIndex(records)
    self.context = context
  }

  /// The same records, with the types of their references.
  static func applied(to records: [RecordDeclaration], in context: ReadingContext) -> [RecordDeclaration] {
    let isNeeded = records.contains { $0.fields.contains { $0.references != nil } }
    return isNeeded ? ReferenceTypes(records, context).applied() : records
  }

  private func applied() -> [RecordDeclaration] {
    var records = index.records
    for (position, record) in records.enumerated() {
      for (number, field) in record.fields.enumerated() {
        guard let reference = field.references else { continue }
        let isFound = check(reference, of: field)
        guard field.typeSpan == nil else { continue }
        var field = field
        field.conversion.type = type(of: field, depth: 0)
        if isFound {
          FieldReader.checkFormats(&field, isTypeKnown: true, in: context)
        } else {
          (field.conversion.formats, field.conversion.timeZone) = ([], nil)
        }
        records[position].fields[number] = field
      }
    }
    return records
  }

  // MARK: Types

  /// Chains of references without a type end here, those that go round among them.
  private static let longestChain = 64

  private func type(of field: FieldDeclaration, depth: Int) -> ColumnType {
    guard field.typeSpan == nil, depth < Self.longestChain, let reference = field.references,
      let target = index.record(reference.record.value)
    else { return field.conversion.type }
    guard let column = reference.column?.value ?? target.onlyKey,
      let next = target.fields.first(where: { $0.column.value.isSame(as: column) })
    else { return field.conversion.type }
    return type(of: next, depth: depth + 1)
  }

  // MARK: Targets

  /// False after a finding, here or elsewhere.
  private func check(_ reference: ReferenceDeclaration, of field: FieldDeclaration) -> Bool {
    guard let target = index.record(reference.record.value) else { return false }
    let (name, column, span) = (target.name.value, field.column.value, reference.record.span)
    if target.cases != nil {
      context.report(
        .badRelationship, "'\(column)' cannot refer to '\(name)': it is a choice, which has no rows of its own",
        at: span, hint: "refer to one of its records")
      return false
    }
    if let wanted = reference.column { return checkColumn(wanted, of: target) }
    if target.key.count > 1 {
      let key = target.key.map { "'\($0.value)'" }.joined(separator: ", ")
      context.report(
        .badRelationship, "'\(column)' is one column, and the key of '\(name)' has several: \(key)", at: span,
        hint: "name one of its columns: '\(name).\(target.key[0].value)'")
      return false
    }
    if target.keySpan == nil {
      context.report(
        .badRelationship, "'\(column)' cannot refer to '\(name)', which has no key", at: span,
        hint: "give '\(name)' a key, or name a column of it")
    }
    return target.keySpan != nil
  }

  private func checkColumn(_ wanted: Located<String>, of target: RecordDeclaration) -> Bool {
    if !target.hasFields || index.hasColumn(wanted.value, target) { return true }
    let nearest = NearestName.nearest(to: wanted.value, among: index.columns(of: target))
    context.report(
      .unknownColumn, "the record '\(target.name.value)' has no column '\(wanted.value)'", at: wanted.span,
      hint: nearest.map { "did you mean '\(target.name.value).\($0)'?" })
    return false
  }
}

extension RecordDeclaration {
  /// The key, where it is one column.
  fileprivate var onlyKey: String? { key.count == 1 ? key[0].value : nil }
}
