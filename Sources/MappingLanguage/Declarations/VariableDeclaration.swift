package import Records
package import Values

/// A variable: `city: Lima`, or `{type: date, default: 2015-07-01}`.
package struct VariableDeclaration: Sendable {
  package var name: Located<String>
  /// Nil: the type of the default as it is written, text otherwise.
  package var type: Located<ColumnType>?
  /// As the type has it; nil: the variable needs `--set`.
  package var defaultValue: Located<Literal>?

  package init(name: Located<String>, type: Located<ColumnType>? = nil, defaultValue: Located<Literal>? = nil) {
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
  }
}
