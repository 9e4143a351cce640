import Diagnostics
import MarkedYAML
import Records
import Values

/// Reads an entry of `variables`: a value, or a type with a default, which then is as the type has it.
///
/// Null, or no default: the variable needs `--set`.
enum VariableReader {
  static func read(_ entry: YAMLEntry, in context: ReadingContext) -> VariableDeclaration {
    var variable = VariableDeclaration(name: Located(entry.key.text, at: entry.keySpan))
    if let view = MapView(entry.value, as: .variable) {
      variable.type = view.word("type", as: ColumnType.self)
      variable.defaultValue = view.literal("default")
    } else {
      variable.defaultValue = entry.value.literal
    }
    // A default with '${…}' was reported.
    let isWhole = variable.defaultValue.map { !$0.value.holdsReference } ?? false
    if isWhole, let type = variable.type, let value = variable.defaultValue {
      switch value.value.typed(as: type.value) {
      case .literal(let typed): variable.defaultValue?.value = typed
      case .invalid(let reason):
        context.report(
          .badConstant, "the default does not fit its type: \(reason)", at: value.span,
          hint: type.value.notation.map { "write it as \($0)" })
        variable.defaultValue = nil
      }
    }
    if variable.defaultValue?.value == .null { variable.defaultValue = nil }
    return variable
  }
}

extension Literal {
  fileprivate var holdsReference: Bool {
    guard case .text(let text) = self, text.contains("${") else { return false }
    return (try? TemplateReader.read(text, core: self))?.isConstant != true
  }
}
