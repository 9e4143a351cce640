import JSONReading
import PlanCompiler
import Records

/// What of a mapping makes a table depend on the order or the number of pages.
struct OrderReasons {
  let plan: Plan
  let mode: TestMode
  /// Of the ordinary way.
  let summary: RunSummary

  func reasons(forTable table: Int) -> [String] {
    let shape = plan.shapes[table]
    var reasons: [String] = []
    if shape.primaryKey.isEmpty {
      reasons.append("its rows have no key of their own: each page adds rows, numbered in the order in which they come")
    }
    switch shape.write {
    case .insert: reasons.append("the first row of a key stays (write: insert)")
    case .history: reasons.append("each change is a version of its own (write: history)")
    case .upsert, .append, .replace: break
    }
    if plan.rows.contains(where: { $0.table == table && readsIndex($0) }) {
      reasons.append("it reads $index, which counts in the order of the body")
    }
    if plan.rows.contains(where: { $0.table == table && $0.tombstone != nil }) {
      reasons.append("a row that is deleted comes back where its record comes later (delete_when)")
    }
    if case .shuffle = mode, isDictionaryList(table) {
      reasons.append("its positions follow the order of a dictionary's members ('.*')")
    }
    if summary.records.contains(where: { $0.updated > 0 }) {
      reasons.append(
        "rows with the same key come with other values: the last one stays, unless 'modified' says which is newer")
    }
    return reasons.isEmpty ? ["something in it depends on how the pages come"] : reasons
  }

  private func readsIndex(_ row: RowPlan) -> Bool {
    row.contexts.contains { path in
      if case .index = path.origin { true } else { false }
    }
  }

  private func isDictionaryList(_ table: Int) -> Bool {
    plan.rows.flatMap(\.relationships).contains { relationship in
      relationship.access.path.steps.contains(.eachMember)
        && relationship.branches.contains { branch in
          if case .link(let link) = branch.storage, link == table { return true }
          return plan.rows[branch.child].table == table
        }
    }
  }
}
