import Diagnostics
import MarkedYAML
import Records

/// Reads an entry of `records`, or an inline child.
struct RecordReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  /// Nil for what is no map.
  func record(_ entry: YAMLEntry) -> RecordDeclaration? {
    guard let view = MapView(entry.value, as: .record) else { return nil }
    var record = RecordDeclaration(name: Located(entry.key.text, at: entry.keySpan), span: entry.value.span)
    if view.has("switch") {
      record.cases = CaseReader.cases(view.node("switch"))
      record.conditionPaths = view.list("switch").flatMap {
        ConditionReader.paths(MapView($0, as: .switchCase)?.node("when"))
      }
      record.hasFields = false
      record.description = view.text("description")?.value
      return record
    }
    record.key = view.list("key").compactMap(\.plainText)
    record.write = view.word("write", as: RecordDeclaration.WriteMode.self)
    record.keySpan = view.entry("key")?.keySpan
    record.tombstone = view.condition("delete_when")
    record.conditionPaths = ConditionReader.paths(view.node("delete_when"))
    record.modified = view.text("modified")
    record.sweep = SweepReader.sweep(view)
    record.renamedFrom = view.text("renamed_from")
    fill(&record, from: view)
    return record
  }

  /// A record that stands in its parent's relationship; it joins the mapping's records under the name `Parent.name`.
  func inline(_ node: YAMLNode, named name: Located<String>) {
    guard let view = MapView(node, as: .inlineRecord) else { return }
    var record = RecordDeclaration(name: name, span: node.span)
    record.isInline = true
    // It takes its place before its own children are met.
    let index = context.inlineRecords.count
    context.inlineRecords.append(record)
    fill(&record, from: view)
    context.inlineRecords[index] = record
  }

  private func fill(_ record: inout RecordDeclaration, from view: MapView) {
    record.table = view.text("table")
    record.description = view.text("description")?.value
    record.filter = view.condition("where")
    record.conditionPaths += ConditionReader.paths(view.node("where"))
    record.unmapped = view.word("unmapped", as: RecordDeclaration.Unmapped.self)?.value ?? .ignore
    if view.has("indexes") { record.indexes = view.list("indexes").compactMap(IndexReader.index) }
    record.isTracked = view.boolean("track") ?? false
    let types = TypesSection(view.map("types", as: .types))
    let isSnakeCase = view.text("naming")?.value.isSame(as: "snake_case") ?? false
    let reader = FieldReader(context: context, types: types, isSnakeCase: isSnakeCase)
    record.fields = reader.fields(view.node("fields"))
    record.hasFields = !record.fields.isEmpty
    if record.hasFields { types.check(columns: record.fields.map(\.column.value), in: context) }
    let relationships = RelationshipReader(context: context, parent: record.name.value)
    record.relationships = view.dictionary("relationships").compactMap { relationships.relationship($0) }
  }
}

/// `types` of a record: the type of each column that has none of its own.
struct TypesSection {
  private struct Listed {
    let column: Located<String>
    let type: ColumnType
    let span: SourceSpan
  }

  private var listed: [Listed] = []
  /// The first type of each column.
  private var byColumn: [NameKey: Located<ColumnType>] = [:]
  private var rest: Located<ColumnType>?

  init(_ view: MapView?) {
    for entry in view?.entries ?? [] {
      if entry.key.text.isSame(as: "*") {
        rest = entry.value.plainText.flatMap { text in
          ColumnType(rawValue: text.value).map { Located($0, at: text.span) }
        }
      } else if let type = ColumnType(rawValue: entry.key.text) {
        for column in entry.value.items.compactMap(\.plainText) {
          listed.append(Listed(column: column, type: type, span: entry.keySpan))
          let key = NameKey(column.value)
          if byColumn[key] == nil { byColumn[key] = Located(type, at: entry.keySpan) }
        }
      }
    }
  }

  /// `*` does not reach a column with `references`, which has its target's type.
  func type(of column: String, isReference: Bool = false) -> Located<ColumnType>? {
    byColumn[NameKey(column)] ?? (isReference ? nil : rest)
  }

  /// Every column that is listed is there, and is listed once.
  func check(columns: [String], in context: ReadingContext) {
    var lines: [NameKey: Int] = [:]
    let known = Set(columns.map { NameKey($0) })
    let names = NearestName.Index(columns)
    for entry in listed {
      let (name, span) = (entry.column.value, entry.column.span)
      if let line = lines[NameKey(name)] {
        context.report(.duplicateName, "the column '\(name)' stands twice in 'types', first in line \(line)", at: span)
        continue
      }
      lines[NameKey(name)] = span.start.line
      if known.contains(NameKey(name)) { continue }
      let nearest = names.nearest(to: name)
      context.report(
        .unknownColumn, "the record has no column '\(name)'", at: span,
        hint: name.isSame(as: "*")
          ? "the type of all other columns is '\"*\": \(entry.type.rawValue)'" : nearest.map { "did you mean '\($0)'?" }
      )
    }
  }
}
