package import JSONReading

/// A condition of `when`, `where` or `delete_when` (docs/mapping-language.md, "Conditions").
package indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case not(Condition)
  case test(KeyPath, Test)

  package enum Test: Sendable {
    /// One of these values; `null` holds for null and missing.
    case equals([Literal])
    /// None of these values; it holds for missing.
    case differs([Literal])
    case exists(Bool)
    case type([ValueKind])
    /// A search in text, by PCRE2.
    case matches(String)
    case less(Literal)
    case lessOrEqual(Literal)
    case greater(Literal)
    case greaterOrEqual(Literal)
  }

  package enum ValueKind: String, CaseIterable, Sendable {
    case string, number, integer, boolean, object, array, null
  }
}
