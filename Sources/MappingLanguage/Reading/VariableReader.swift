import MarkedYAML
import Records
import Values

/// Reads an entry of `variables`: a value, or a type with a default. Null, or no default: the variable needs `--set`.
enum VariableReader {
  static func read(_ entry: YAMLEntry) -> VariableDeclaration {
    var variable = VariableDeclaration(name: Located(entry.key.text, at: entry.keySpan))
    if let view = MapView(entry.value, as: .variable) {
      variable.type = view.word("type", as: ColumnType.self)
      variable.defaultValue = view.literal("default")
    } else {
      variable.defaultValue = entry.value.literal
    }
    if variable.defaultValue?.value == .null { variable.defaultValue = nil }
    return variable
  }
}
