package import Diagnostics
package import Values

/// `for_each`: one walk for each stored row of a record, or for each value of a list.
package struct ForEachDeclaration: Sendable {
  package enum Source: Sendable {
    case record(Located<String>)
    case values([Located<Literal>])
  }

  /// A name for a path parameter or `${each.NAME}`; of a list of values it stands for the value.
  package struct Binding: Sendable {
    package var name: Located<String>
    /// The column of the stored row; nil for a value of a list.
    package var column: Located<String>?

    package init(name: Located<String>, column: Located<String>? = nil) {
      self.name = name
      self.column = column
    }
  }

  package var source: Source
  package var bindings: [Binding]
  /// SQL over the record's columns.
  package var condition: Located<String>?
  package var span: SourceSpan

  package init(source: Source, bindings: [Binding], condition: Located<String>? = nil, span: SourceSpan) {
    self.source = source
    self.bindings = bindings
    self.condition = condition
    self.span = span
  }
}

/// `incremental`: a walk asks only for what is newer than what was received.
package struct IncrementalDeclaration: Sendable {
  package var column: Located<String>
  package var param: Located<String>
  /// A date pattern, or the name of a format.
  package var format: Located<String>?
  package var start: Located<Literal>?
  package var lookback: Located<Duration>?
  package var slice: Located<Duration>?
  package var untilParam: Located<String>?
  package var end: Located<Literal>?
  package var span: SourceSpan

  package init(column: Located<String>, param: Located<String>, span: SourceSpan) {
    self.column = column
    self.param = param
    self.span = span
  }
}

/// `on_failure`: what a failed walk does to the run.
package enum FailureAction: String, Sendable, CaseIterable {
  case fail, `continue`, stored
}
