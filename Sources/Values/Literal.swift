/// A constant of a mapping: a default, a table value, a bound.
package enum Literal: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number as it was written.
  case number(String)
  case text(String)
}
