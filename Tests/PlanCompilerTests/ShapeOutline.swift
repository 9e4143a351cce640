import PlanCompiler
import Records

/// The tables of a plan as text, one fact a line.
struct ShapeOutline {
  let plan: Plan

  var text: String {
    plan.tables.map { table in
      let counted = table.record.map { " counts as \(plan.recordNames[$0])" } ?? ""
      return (["\(table.shape.name): \(role(table.shape.role))\(counted)"] + facts(of: table.shape).map { "  " + $0 })
        .joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }

  private func facts(of shape: TableShape) -> [String] {
    func names(_ columns: [Int]) -> String { columns.map { shape.columns[$0].name }.joined(separator: ", ") }
    var facts = shape.columns.map { "\($0.name) \($0.type.rawValue)\($0.takesAnyText ? " or text" : "")" }
    facts.append(shape.primaryKey.isEmpty ? "no primary key" : "primary key (\(names(shape.primaryKey)))")
    if !shape.parentKey.isEmpty { facts.append("parent (\(names(shape.parentKey)))") }
    if let position = shape.position { facts.append("position (\(names([position])))") }
    facts += shape.foreignKeys.map { key in
      let action = key.onDelete == .cascade ? "cascade" : "set null"
      return
        "foreign key (\(names(key.columns))) of \(key.table) (\(key.referenced.joined(separator: ", "))), \(action)"
    }
    return facts
  }

  private func role(_ role: TableShape.Role) -> String {
    switch role {
    case .record: "a record"
    case .onlyChild: "a single child"
    case .listChild: "children of a list"
    case .link: "links"
    case .membership: "a membership"
    }
  }
}
