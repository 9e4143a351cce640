package import Diagnostics

/// A value of the mapping with its place.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var span: SourceSpan

  package init(_ value: Value, at span: SourceSpan) {
    self.value = value
    self.span = span
  }
}

extension Located: Equatable where Value: Equatable {
  package static func == (a: Located, b: Located) -> Bool { a.value == b.value }
}
