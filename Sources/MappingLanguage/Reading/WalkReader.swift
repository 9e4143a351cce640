import Diagnostics
import MarkedYAML
import Values

/// Reads what makes several walks of an endpoint, or makes walks remember: `for_each`, `incremental`.
struct WalkReader {
  let context: ReadingContext

  init(_ context: ReadingContext) { self.context = context }

  /// Nil when something is missing, which was reported.
  func forEach(_ view: MapView, owner: SourceSpan) -> ForEachDeclaration? {
    let source: ForEachDeclaration.Source
    if let record = view.text("record") {
      source = .record(record)
    } else if let entry = view.entry("values") {
      let values = entry.value.items.compactMap(\.literal)
      for value in values where value.value == .null {
        context.report(.badValue, "null is no value to walk for", at: value.span)
      }
      source = .values(values)
      if let condition = view.entry("where") {
        context.report(
          .conflictingKeys, "'where' chooses among rows of a record, and 'values' has none", at: condition.keySpan)
      }
    } else {
      if !view.hasMisspelt("record"), !view.hasMisspelt("values") {
        context.report(.missingKey, "'for_each' needs 'record' or 'values'", at: owner)
      }
      return nil
    }
    guard let bindings = bindings(view, source) else { return nil }
    return ForEachDeclaration(
      source: source, bindings: bindings, condition: view.text("where"), span: view.span)
  }

  private func bindings(
    _ view: MapView, _ source: ForEachDeclaration.Source
  ) -> [ForEachDeclaration.Binding]? {
    guard let node = view.node("bind") else { return nil }
    switch (source, node.content) {
    case (.values, .scalar):
      return node.plainText.map { [ForEachDeclaration.Binding(name: $0)] }
    case (.record, .mapping(let entries)):
      return entries.compactMap { entry in
        entry.value.plainText.map {
          ForEachDeclaration.Binding(name: Located(entry.key.text, at: entry.keySpan), column: $0)
        }
      }
    case (.values, _):
      context.report(
        .wrongKind, "of 'values', 'bind' is the name of the value", at: node.span, hint: "write 'bind: NAME'")
    default:
      context.report(
        .wrongKind, "of a record, 'bind' names columns", at: node.span, hint: "write 'bind: {NAME: COLUMN}'")
    }
    return nil
  }

  func incremental(_ view: MapView) -> IncrementalDeclaration? {
    guard let column = view.text("column"), let param = view.text("param") else { return nil }
    var incremental = IncrementalDeclaration(column: column, param: param, span: view.span)
    incremental.format = view.text("format")
    incremental.start = view.literal("start")
    incremental.lookback = duration("lookback", view)
    incremental.slice = duration("slice", view)
    incremental.untilParam = view.text("until_param")
    incremental.end = view.literal("end")
    if let slice = view.entry("slice") {
      for key in ["start", "until_param"] where !view.has(key) && !view.hasMisspelt(key) {
        context.report(.missingKey, "'slice' needs '\(key)'", at: slice.keySpan)
      }
    }
    if let end = view.entry("end"), !view.has("until_param"), !view.hasMisspelt("until_param") {
      context.report(.missingKey, "'end' needs 'until_param', which sends it", at: end.keySpan)
    }
    return incremental
  }

  private func duration(_ key: String, _ view: MapView) -> Located<Duration>? {
    view.text(key).flatMap { text in Quantity.duration(text.value).map { Located($0, at: text.span) } }
  }
}
