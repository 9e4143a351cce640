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

  /// Whether the record's rows become exactly those of a walk.
  package func isReplaced(_ record: Int) -> Bool {
    tables.contains { $0.record == record && $0.shape.role == .record && $0.shape.write == .replace }
  }

  private func isSwept(_ table: Int) -> Bool {
    let shape = tables[table].shape
    return shape.role == .record && (shape.sweep != nil || shape.write == .replace)
  }
}
