package import Values

/// A record that is a choice: which of the others a value is.
package struct ChoicePlan: Sendable {
  package enum Outcome: Sendable, Hashable {
    /// The declaration of a record with fields.
    case record(declaration: Int)
    /// Another choice, by its index.
    case choice(Int)
    case skip
    case reject
  }

  package struct Case: Sendable {
    /// Nil: always.
    package var condition: CompiledCondition?
    package var outcome: Outcome
  }

  /// Index into `Plan.recordNames`: what the choice skips or rejects itself is counted there.
  package var record: Int
  /// Tried in order; what no case takes is rejected.
  package var cases: [Case]
}
