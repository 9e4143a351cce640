import Diagnostics
import JSONReading
import MappingLanguage
import PlanCompiler
import Records

/// What a mapping says of a column: where its values come from.
package struct ColumnRule: Sendable {
  /// `mapping.yaml:12`, and that line.
  package var place: String?
  package var line: String?
  /// Where values come from, in words: `key path profile.name`.
  package var source: String
  /// The type of the mapping.
  package var type: String
  let field: FieldDeclaration?

  init(_ address: ColumnAddress, plan: Plan, mapping: Mapping) {
    let table = plan.tables[address.table]
    let shape = table.shape
    let record = table.record.map { plan.recordNames[$0] }
    let declaration = mapping.records.first { entry in
      record.map { $0.utf8.elementsEqual(entry.name.value.utf8) } ?? false
    }
    guard let column = address.column else {
      (field, source, type) = (nil, "the store numbers the rows", ColumnType.integer.rawValue)
      point(to: declaration?.name.span)
      return
    }
    let name = shape.columns[column].name
    type = shape.columns[column].type.rawValue
    field = declaration?.fields.first { $0.column.value.utf8.elementsEqual(name.utf8) }
    if let field {
      source = Self.words(field.source)
      point(to: field.column.span)
      return
    }
    let found = Self.made(column, of: address.table, plan: plan, mapping: mapping)
    source = found.source
    point(to: found.span ?? declaration?.name.span)
  }

  private mutating func point(to span: SourceSpan?) {
    guard let span else { return }
    place = "\(span.file.name):\(span.start.line)"
    var line = span.file.line(span.start.line)
    line = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    self.line = String(decoding: line, as: UTF8.self)
  }

  private static func words(_ source: FieldDeclaration.Source) -> String {
    switch source {
    case .paths(let paths) where paths.count == 1: "key path \(paths[0].value.text)"
    case .paths(let paths): "the first of the key paths \(paths.map(\.value.text).joined(separator: ", "))"
    case .const: "a constant"
    case .jq: "a jq program"
    }
  }

  // MARK: columns that a record does not name

  private static func made(
    _ column: Int, of table: Int, plan: Plan, mapping: Mapping
  ) -> (source: String, span: SourceSpan?) {
    let shape = plan.tables[table].shape
    let name = shape.columns[column].name
    if shape.tracking.contains(column) { return ("the run that last changed the row (track)", nil) }
    if shape.position == column { return ("the element's number in its list", nil) }
    if shape.parentKey.contains(column) { return ("the key of the row's parent", nil) }
    if shape.role == .link { return ("the key of the list's element", nil) }
    if name.utf8.elementsEqual("_extra".utf8) { return ("the members that nothing maps (unmapped: capture)", nil) }
    if shape.write == .history {
      if name.utf8.elementsEqual("valid_from".utf8) { return ("when the version was stored", nil) }
      if name.utf8.elementsEqual("valid_to".utf8) { return ("when the next version was stored, or the row went", nil) }
    }
    for row in plan.rows {
      for relationship in row.relationships {
        for branch in relationship.branches where holds(branch, column, of: table, in: row, plan: plan) {
          let record = plan.recordNames[row.record]
          let span = mapping.records.first { $0.name.value.utf8.elementsEqual(record.utf8) }?.relationships
            .first { $0.name.value.utf8.elementsEqual(relationship.name.utf8) }?.name.span
          let whose =
            row.table == table ? "the key of the related record" : "the key of the '\(record)' in whose list it is"
          return ("\(whose), relationship '\(relationship.name)' at key path \(relationship.access.path.text)", span)
        }
      }
    }
    return ("the record itself", nil)
  }

  private static func holds(
    _ branch: RelationshipPlan.Branch, _ column: Int, of table: Int, in row: RowPlan, plan: Plan
  ) -> Bool {
    switch branch.storage {
    case .columns(let columns): row.table == table && columns.contains(column)
    case .membership(let members):
      plan.tables[members].shape.child == table && plan.tables[members].shape.childColumns.contains(column)
    case .onlyChild, .listChild, .link: false
    }
  }
}
