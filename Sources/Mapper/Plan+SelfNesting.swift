import PlanCompiler

extension Plan {
  /// Tables of keyless children below whose rows other rows of the same table may stand.
  var selfNestingTables: Set<Int> {
    var tables: Set<Int> = []
    for start in rows.indices where rows[start].key.isEmpty && rows[start].parentKeyCount > 0 {
      var found = children(of: start)
      var next = 0
      while next < found.count {
        for child in children(of: found[next]) where !found.contains(child) { found.append(child) }
        next += 1
      }
      if found.contains(start) { tables.insert(rows[start].table) }
    }
    return tables
  }

  private func children(of row: Int) -> [Int] { rows[row].relationships.flatMap(\.branches).map(\.child) }
}
