package import Records

/// All that can be decided before the first byte: how responses are routed, and how each record becomes rows.
///
/// Immutable, and shared by everything that runs it. Plans refer to one another by index, so that records may refer to
/// themselves.
package struct Plan: Sendable {
  /// The source's name.
  package var source: String
  /// In the order of the batches' tables.
  package var tables: [TablePlan]
  /// How a record's value becomes a row of one table.
  package var rows: [RowPlan]
  /// Names of records, as counts name them; `RowPlan.record` is an index into it.
  package var recordNames: [String]
  /// Records that are a choice between others.
  package var choices: [ChoicePlan]
  package var endpoints: [EndpointPlan]
  /// Indexes into `endpoints`, in the order in which they are fetched: parents of `for_each` first, else as written.
  package var order: [Int]
  package var router: Router
  /// The top level's error rules.
  package var errors: [ErrorRulePlan]

  /// A row that the store skips, rejects or deletes takes its children with it, so batches keep document order.
  package var needsOrder: Bool {
    rows.contains { $0.tombstone != nil }
      || shapes.contains { $0.write == .insert || $0.modified != nil || $0.indexes.contains(where: \.isUnique) }
  }

  package var shapes: [TableShape] { tables.map(\.shape) }
}

/// A table that the plan fills.
package struct TablePlan: Sendable {
  package var shape: TableShape
  /// Index into `recordNames` of the record whose rows are counted there; nil for links.
  package var record: Int?

  package init(shape: TableShape, record: Int?) {
    self.shape = shape
    self.record = record
  }
}
