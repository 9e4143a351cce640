import Diagnostics
import JSONReading
import MarkedYAML
import Records
import Values

/// Reads `fields` of one record.
struct FieldReader {
  let context: ReadingContext
  let types: TypesSection
  let isSnakeCase: Bool

  /// Of two fields for one column the first, so that nothing behind meets both.
  func fields(_ node: YAMLNode?) -> [FieldDeclaration] {
    switch node?.content {
    case .mapping(let entries):
      distinct(entries.map { field(named: $0.key.text, column: $0.key.text, at: $0.keySpan, $0.value) })
    case .sequence(let items): distinct(items.compactMap(listed))
    case .scalar, nil: []
    }
  }

  private func distinct(_ fields: [FieldDeclaration]) -> [FieldDeclaration] {
    var first: [NameKey: Located<String>] = [:]
    return fields.filter { field in
      let column = field.column
      let key = NameKey(folding: column.value)
      guard let before = first[key] else {
        first[key] = column
        return true
      }
      let place = before.span.place(from: column.span)
      let message =
        before.value.isSame(as: column.value)
        ? "the column '\(column.value)' stands twice, first in \(place)"
        : "the columns '\(before.value)' and '\(column.value)' are one to a database, which folds letter case; "
          + "the first is in \(place)"
      context.report(.duplicateColumn, message, at: column.span)
      return false
    }
  }

  /// An item of a list: a name, or a map of one entry.
  private func listed(_ item: YAMLNode) -> FieldDeclaration? {
    if let name = item.plainText { return field(named: name.value, column: column(name.value), at: name.span, nil) }
    guard case .mapping(let entries) = item.content else { return nil }
    guard let entry = entries.first, entries.count == 1 else {
      context.report(
        .wrongKind, "an item of 'fields' is one column, not \(entries.count)",
        at: entries.dropFirst().first?.keySpan ?? item.span,
        hint: "write {name: …} for each of them")
      return nil
    }
    return field(named: entry.key.text, column: column(entry.key.text), at: entry.keySpan, entry.value)
  }

  private func column(_ name: String) -> String { isSnakeCase ? SnakeCase.of(name) : name }

  private func field(named name: String, column: String, at span: SourceSpan, _ node: YAMLNode?) -> FieldDeclaration {
    let location = Located(column, at: span)
    let source = FieldDeclaration.Source.paths([Located(.member(named: name), at: span)])
    var field = FieldDeclaration(column: location, source: source, conversion: ConversionSpec(), span: span)
    if let view = MapView(node, as: .field) {
      fill(&field, from: view)
    } else if let node {
      field.span = node.isNull ? span : node.span
      if let path = node.keyPath { field.source = .paths([path]) }
    }
    let isReference = field.references != nil
    if field.typeSpan == nil, let type = types.type(of: column, isReference: isReference) {
      field.conversion.type = type.value
      field.typeSpan = type.span
    }
    let isTypeKnown = MapView(node, as: .field)?.word("type", as: ColumnType.self) != nil
    // The target's type is not known yet.
    if field.typeSpan != nil || !isReference { Self.checkFormats(&field, isTypeKnown: isTypeKnown, in: context) }
    return field
  }

  private func fill(_ field: inout FieldDeclaration, from view: MapView) {
    field.span = view.span
    let paths = view.keyPaths("from")
    if !paths.isEmpty { field.source = .paths(paths) }
    if let const = view.node("const") {
      if const.isNull {
        field.source = .const(Located(Template(pieces: [], core: .null), at: const.span))
      } else if let template = const.template {
        field.source = .const(template)
      }
    }
    if let program = view.text("jq") { field.source = .jq(program) }
    // A type that cannot be read must not take one from 'types'.
    if let node = view.node("type") { field.typeSpan = node.span }
    if let type = view.word("type", as: ColumnType.self) { field.conversion.type = type.value }
    ConversionReader.fill(&field, from: view)
    field.defaultValue = view.literal("default")
    field.references = view.text("references").flatMap { context.symbols.reference($0) }
    if view.boolean("index") == true { field.index = .plain }
    if view.text("index")?.value.isSame(as: "unique") ?? false { field.index = .unique }
    field.renamedFrom = view.text("renamed_from")
    field.isRequired = view.boolean("required") ?? false
    field.description = view.text("description")?.value
    if let rule = view.word("on_missing", as: FieldDeclaration.OnMissing.self) { field.onMissing = rule.value }
    if let rule = view.word("on_null", as: FieldDeclaration.OnNull.self) { field.onNull = rule.value }
    if let rule = view.word("on_invalid", as: FieldDeclaration.OnInvalid.self) { field.onInvalid = rule.value }
    for key in ["on_missing", "on_null"] where !view.has("default") {
      guard let rule = view.text(key), rule.value.isSame(as: "default") else { continue }
      context.report(
        .missingKey, "'\(key): default' needs a 'default'", at: rule.span, hint: "write 'null' to clear the column")
    }
  }

  /// Formats and a zone belong to dates, times and timestamps.
  static func checkFormats(_ field: inout FieldDeclaration, isTypeKnown: Bool, in context: ReadingContext) {
    switch field.conversion.type {
    case .date, .time, .timestamp: return
    default: break
    }
    let said = [("format", ConversionIssue.Part.format(0)), ("timezone", .timeZone)]
    (field.conversion.formats, field.conversion.timeZone) = ([], nil)
    // A type that is not known was reported; what stands beside it is not at fault.
    if field.typeSpan != nil, field.conversion.type == .any, !isTypeKnown { return }
    for (key, part) in said {
      guard let span = field.conversionSpans[part] else { continue }
      context.report(
        .conflictingKeys, "'\(key)' needs the type date, time or timestamp, not '\(field.conversion.type.rawValue)'",
        at: span)
    }
  }
}
