package import Diagnostics
package import Values

/// An entry of `tests`: bodies, how they are routed, and what the tables must hold afterwards.
package struct TestDeclaration: Sendable {
  package enum Body: Sendable {
    /// Paths relative to the file that names them.
    case files([Located<String>])
    /// A body written in the mapping, as JSON text.
    case inline(String)
  }

  /// A list of `expect`: where it stands, and the key that it belongs to.
  package struct ExpectedList<Item: Sendable>: Sendable {
    package var items: [Item]
    package var keySpan: SourceSpan
    package var span: SourceSpan

    package init(items: [Item], keySpan: SourceSpan, span: SourceSpan) {
      self.items = items
      self.keySpan = keySpan
      self.span = span
    }
  }

  /// Rows of one table, compared by the columns that they name.
  package struct ExpectedTable: Sendable {
    package var name: Located<String>
    package var count: Located<Int>?
    package var rows: ExpectedList<ExpectedRow>?
    package var isOrdered: Bool

    package init(
      name: Located<String>, count: Located<Int>? = nil, rows: ExpectedList<ExpectedRow>? = nil, isOrdered: Bool = false
    ) {
      self.name = name
      self.count = count
      self.rows = rows
      self.isOrdered = isOrdered
    }
  }

  package struct ExpectedValue: Sendable {
    package var column: Located<String>
    /// A list or a map is the JSON text that a column would hold.
    package var value: Located<Literal>
    package var isCollection: Bool

    package init(column: Located<String>, value: Located<Literal>, isCollection: Bool) {
      self.column = column
      self.value = value
      self.isCollection = isCollection
    }
  }

  package struct ExpectedRow: Sendable {
    package var values: [ExpectedValue]
    package var span: SourceSpan

    package init(values: [ExpectedValue], span: SourceSpan) {
      self.values = values
      self.span = span
    }
  }

  package var name: Located<String>
  package var endpoint: Located<String>?
  package var path: Located<String>?
  package var method: String?
  package var status: Int?
  package var headers: [(name: String, value: String)] = []
  package var body: Body
  /// The value of `expect`, where it is a map.
  package var expectSpan: SourceSpan?
  package var tables: [ExpectedTable] = []
  package var rejects: Located<Int>?
  package var requests: ExpectedList<Located<String>>?
  /// It has `error`: the answer must be an error.
  package var expectsError = false
  package var errorMessage: String?
  package var errorCode: String?
  package var span: SourceSpan

  package init(name: Located<String>, body: Body, span: SourceSpan) {
    self.name = name
    self.body = body
    self.span = span
  }
}
