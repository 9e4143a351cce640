import Records

/// What a walk may remove.
extension Plan {
  /// Indexes into `recordNames` of the records with `sweep` or `write: replace` that the place leads to, nested ones
  /// included.
  package func sweptRecords(at place: PlacePlan) -> [Int] {
    PlaceReach.rows(from: place.branches.map(\.row), in: rows).filter { isSwept(rows[$0].table) }.map {
      rows[$0].record
    }
  }

  /// Names of the records with `write: append` that the place leads to, nested ones included.
  package func appendedRecords(at place: PlacePlan) -> [String] {
    PlaceReach.rows(from: place.branches.map(\.row), in: rows).filter {
      let shape = tables[rows[$0].table].shape
      return shape.role == .record && shape.write == .append
    }.map { recordNames[rows[$0].record] }
  }

  /// Rows that answers of the endpoint fill, those of nested records included.
  package func rows(filledBy endpoint: EndpointPlan) -> [Int] {
    PlaceReach.rows(from: endpoint.places.flatMap(\.branches).map(\.row), in: rows)
  }

  /// The tables that answers of the endpoint fill, those of nested records and of links included.
  package func tables(filledBy endpoint: EndpointPlan) -> Set<Int> {
    let reached = rows(filledBy: endpoint)
    var tables = Set(reached.map { rows[$0].table })
    for branch in reached.flatMap({ rows[$0].relationships }).flatMap(\.branches) {
      if case .link(let table) = branch.storage { tables.insert(table) }
    }
    return tables
  }

  /// Whether the record's rows become exactly those of a walk.
  package func isReplaced(_ record: Int) -> Bool {
    tables.contains { $0.record == record && $0.shape.role == .record && $0.shape.write == .replace }
  }

  private func isSwept(_ table: Int) -> Bool {
    let shape = tables[table].shape
    return shape.role == .record && (shape.sweep != nil || shape.write == .replace)
  }
}
