package import JSONReading
package import MappingLanguage
package import Values

/// An endpoint, with its places resolved.
package struct EndpointPlan: Sendable {
  package var declaration: EndpointDeclaration
  package var name: String
  package var patterns: [PathPattern]
  package var places: [PlacePlan]
  package var errors: [ErrorRulePlan]
  package var paginate: PaginatePlan?
  package var forEach: ForEachPlan?
  package var incremental: IncrementalPlan?
  package var isLenient: Bool
  package var isNDJSON: Bool
  /// Raw bodies are kept.
  package var isArchived = false
}

/// A rule of `errors`, its condition compiled.
package struct ErrorRulePlan: Sendable {
  package var declaration: ErrorRuleDeclaration
  package var condition: CompiledCondition?

  package func fits(status: Int) -> Bool { declaration.status?.contains(status) ?? true }
}

/// `paginate`, its stop condition compiled.
package struct PaginatePlan: Sendable {
  package var declaration: PaginateDeclaration
  package var stopCondition: CompiledCondition?
}

/// A place of an endpoint, and the record there.
package final class PlacePlan: Sendable {
  package let path: KeyPath
  /// Index into `Plan.choices`, for records of several kinds.
  package let choice: Int?
  /// The record, or each record of the choice: its declaration, and its index into `Plan.rows`.
  package let branches: [(declaration: Int, row: Int)]
  /// The name of the record or the choice.
  package let record: String
  package let isRequired: Bool
  /// What the record's mapping reads, relative to the record; nil when it reads the value as a whole.
  package let reads: [KeyPath]?
  /// Values outside of the record that the record, or a record nested in it, reads.
  package let captures: [CapturePlan]
  /// Some of it reads the request's query or URL, or the answer's headers.
  package let readsPage: Bool

  init(
    path: KeyPath, choice: Int?, branches: [(declaration: Int, row: Int)], record: String, isRequired: Bool,
    reads: [KeyPath]?, captures: [CapturePlan], readsPage: Bool
  ) {
    (self.path, self.choice, self.branches, self.record) = (path, choice, branches, record)
    (self.isRequired, self.reads, self.captures, self.readsPage) = (isRequired, reads, captures, readsPage)
  }
}

/// How a `$root…` or `$parent…` key path of a record is answered from outside of the top-level record.
package struct CapturePlan: Sendable {
  /// The key path that asks.
  package var path: KeyPath
  /// The depth of the record that asks, 0 for the top-level record itself; nil: any.
  package var depth: Int?
  /// Levels above the top-level record's place; nil for the root.
  package var levels: Int?
  /// Member steps that are captured.
  package var members: [JSONName]
  /// What is left to evaluate on the captured value.
  package var rest: KeyPath?
}
