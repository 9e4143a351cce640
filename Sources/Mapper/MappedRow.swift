import PlanCompiler
import Records

/// A row plan as records are mapped by it, and what would otherwise be asked anew for each of them.
///
/// An object, since a copy of the plan's struct for each record would count one reference for each of its parts.
final class MappedRow {
  /// Index into `Plan.rows`.
  let index: Int
  let plan: RowPlan
  /// A child that is rejected can reject the record.
  let mayBeTakenBack: Bool
  /// Rows of keyless children that may hold lists of the same table within their own elements, by way of a record with a
  /// key.
  let isSelfNesting: Bool
  /// What a cell holds that nothing fills.
  let empty: Cell
  /// One for each of the plan's fields; plain memory, since an array would be checked at each of them.
  let lanes: UnsafeMutableBufferPointer<FieldLane>

  init(_ plan: RowPlan, index: Int, isSelfNesting: Bool) {
    self.index = index
    self.plan = plan
    self.isSelfNesting = isSelfNesting
    mayBeTakenBack = plan.relationships.contains(where: \.failsParent)
    empty = plan.isWrittenWhole ? .null : .missing
    lanes = .allocate(capacity: plan.fields.count)
    _ = lanes.initialize(from: plan.fields.map(FieldLane.init))
  }

  deinit { lanes.deallocate() }
}
