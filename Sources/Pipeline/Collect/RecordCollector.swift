package import PlanCompiler
package import Records
package import Store

/// A store that keeps nothing: it hands on the top-level records that it gets, each with those nested in it.
package final class RecordCollector: Store {
  private let plan: Plan
  private let deliver: (CollectedRecord) throws(StoreError) -> Void
  private let reject: (Rejection, BodyName) -> Void
  private var outcomes: [RecordOutcome] = []

  /// What is delivered of a body is provisional until the body is taken in: it may still be found broken further on.
  package init(
    _ plan: Plan, reject: @escaping (Rejection, BodyName) -> Void,
    deliver: @escaping (CollectedRecord) throws(StoreError) -> Void
  ) {
    self.plan = plan
    self.reject = reject
    self.deliver = deliver
  }

  package func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {}
  package func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 { 0 }
  package func begin() throws(StoreError) { outcomes = [] }
  package func beginWalk(_ walk: WalkScope) throws(StoreError) {}
  package func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome { WalkOutcome() }
  package func rollback() throws(StoreError) { outcomes = [] }
  package func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {}
  package func record(_ error: ErrorEntry) throws(StoreError) {}
  package func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError) {}
  package func close() throws(StoreError) {}

  package func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    for rejection in batch.rejections { reject(rejection, batch.bodies[Int(rejection.body)]) }
    for (index, table) in batch.tables.enumerated() {
      guard let record = plan.tables[index].record else { continue }
      for header in table.rows where !header.isShield { count(header.isTombstone, plan.recordNames[record]) }
    }
    let tree = RecordTree(batch, plan)
    for top in tree.tops { try deliver(tree.record(at: top)) }
  }

  package func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] {
    defer { outcomes = [] }
    return outcomes
  }

  private func count(_ isDeleted: Bool, _ record: String) {
    var index = outcomes.firstIndex { $0.record.utf8.elementsEqual(record.utf8) }
    if index == nil {
      outcomes.append(RecordOutcome(record: record))
      index = outcomes.count - 1
    }
    guard let index else { return }
    if isDeleted { outcomes[index].deleted += 1 } else { outcomes[index].inserted += 1 }
  }
}

/// Which rows of a batch are nested in which.
private struct RecordTree {
  let batch: RecordBatch
  let plan: Plan
  /// Rows of records that are nested in none, table by table, in the order of the body.
  private(set) var tops: [RowReference] = []
  private var nested: [RowReference: [RowReference]] = [:]
  /// What a row says of its children and links: the table and the number of each list.
  private var lists: [RowReference: [(table: Int, number: Int)]] = [:]
  /// By table; nil for links.
  private let rowPlans: [RowPlan?]

  init(_ batch: RecordBatch, _ plan: Plan) {
    self.batch = batch
    self.plan = plan
    rowPlans = plan.tables.indices.map { table in plan.rows.first { $0.table == table } }
    for (table, rows) in batch.tables.enumerated() {
      for (number, list) in rows.lists.enumerated() { lists[list.parent, default: []].append((table, number)) }
      guard rowPlans[table] != nil else { continue }
      for (number, header) in rows.rows.enumerated() where !header.isShield {
        let row = RowReference(table: table, row: number)
        if header.parent == .none { tops.append(row) } else { nested[header.parent, default: []].append(row) }
      }
    }
  }

  /// As deep as records may be nested (`BodyMapper.nestedRecords`).
  func record(at place: RowReference) -> CollectedRecord {
    let (table, number) = (Int(place.table), Int(place.row))
    let header = batch.tables[table].rows[number]
    var record = CollectedRecord(
      table: table, values: batch.tables[table].row(number).map(\.collected), isDeleted: header.isTombstone)
    guard !header.isTombstone, let rowPlan = rowPlans[table] else { return record }
    var left = nested[place] ?? []
    for relationship in rowPlan.relationships {
      var found: [(position: Int64, place: RowReference)] = []
      for branch in relationship.branches { found += children(of: place, on: branch, among: &left) }
      // Children of several kinds stand in several tables.
      if relationship.branches.count > 1 { found.sort { $0.position < $1.position } }
      record.relationships.append(
        CollectedRecord.Relationship(
          name: relationship.name, isList: relationship.isList, records: found.map { self.record(at: $0.place) }))
    }
    return record
  }

  private func children(
    of parent: RowReference, on branch: RelationshipPlan.Branch, among left: inout [RowReference]
  ) -> [(position: Int64, place: RowReference)] {
    let childTable = plan.rows[branch.child].table
    switch branch.storage {
    case .columns(let columns):
      let wanted = columns.map { batch.cell($0, ofRow: Int(parent.row), in: Int(parent.table)) }
      // Of a child that was rejected the key alone is there.
      guard wanted.allSatisfy({ $0.rule != .keepIfEqual }) else { return [] }
      let key = plan.rows[branch.child].key
      let found = left.firstIndex { row in
        Int(row.table) == childTable
          && zip(key, wanted).allSatisfy { batch.cell($0, ofRow: Int(row.row), in: childTable).isSame(as: $1) }
      }
      guard let found else { return [] }
      return [(position: 0, place: left.remove(at: found))]
    case .onlyChild, .listChild: return rows(of: parent, in: childTable)
    case .link(let table), .membership(let table):
      let linked = rows(of: parent, in: table).map { entry in
        (entry.position, batch.tables[table].rows[Int(entry.place.row)].parent)
      }
      left.removeAll { row in linked.contains { $0.1 == row } }
      return linked
    }
  }

  /// Rows of the parent's list, and their positions where the table has them.
  private func rows(of parent: RowReference, in table: Int) -> [(position: Int64, place: RowReference)] {
    let position = plan.tables[table].shape.position
    return (lists[parent] ?? []).filter { $0.table == table }.flatMap { batch.tables[table].lists[$0.number].rows }
      .filter { !batch.tables[table].rows[$0].isShield && !batch.tables[table].rows[$0].isTombstone }
      .map { number in
        let place = RowReference(table: table, row: number)
        return (position.map { batch.cell($0, ofRow: number, in: table).integerValue } ?? 0, place)
      }
  }
}
