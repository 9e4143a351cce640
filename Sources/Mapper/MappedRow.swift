import PlanCompiler
import Records

/// A row plan as records are mapped by it: what is asked of it for each record, as numbers in plain memory.
///
/// Mappers go through a pointer to it. A reference would be counted up and down several times for each record, which is
/// dearer than anything else that is done with it, and so would be each part of the plan that is copied.
struct MappedRow {
  /// Index into `Plan.rows`.
  let index: Int
  let plan: RowPlan
  /// Those of the plan.
  let table: Int
  let record: Int
  let columnCount: Int
  let parentKeyCount: Int
  let hasPosition: Bool
  let hasConditions: Bool
  let ignoresUnmapped: Bool
  let hasRelationships: Bool
  /// A child that is rejected can reject the record.
  let mayBeTakenBack: Bool
  /// Rows of keyless children that may hold lists of the same table within their own elements, by way of a record with a
  /// key.
  let isSelfNesting: Bool
  /// What a cell holds that nothing fills.
  let empty: Cell
  let members: MemberNames
  /// One for each of the plan's fields.
  let lanes: UnsafeMutableBufferPointer<FieldLane>
  /// The columns by which children refer to a row.
  let identity: UnsafeMutableBufferPointer<Int>

  init(_ plan: RowPlan, index: Int, isSelfNesting: Bool) {
    self.index = index
    self.plan = plan
    self.isSelfNesting = isSelfNesting
    (table, record, columnCount) = (plan.table, plan.record, plan.columnCount)
    (parentKeyCount, hasPosition) = (plan.parentKeyCount, plan.position != nil)
    hasConditions = plan.filter != nil || plan.tombstone != nil
    ignoresUnmapped = plan.unmapped == .ignore
    hasRelationships = !plan.relationships.isEmpty
    mayBeTakenBack = plan.relationships.contains(where: \.failsParent)
    empty = plan.isWrittenWhole ? .null : .missing
    members = MemberNames(plan.members)
    lanes = .allocate(capacity: plan.fields.count)
    _ = lanes.initialize(from: plan.fields.map { FieldLane($0, of: plan) })
    identity = .allocate(capacity: plan.identity.count)
    _ = identity.initialize(from: plan.identity)
  }

  func deallocate() {
    members.deallocate()
    lanes.deallocate()
    identity.deallocate()
  }
}
