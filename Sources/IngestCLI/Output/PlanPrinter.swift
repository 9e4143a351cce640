import Records
import Store

/// Prints what a run would change in the tables: an outline, as comments, and the statements.
///
/// `+` is made, `~` becomes something else, `-` goes; what loses data says so. A shell for SQL goes on after a statement
/// that fails, so a plan that drops a table on the way is printed as comments, whole: taking it is all or nothing.
struct PlanPrinter {
  private let plan: SchemaPlan
  private let shapes: [TableShape]

  init(_ plan: SchemaPlan, shapes: [TableShape]) { (self.plan, self.shapes) = (plan, shapes) }

  func print(on console: Console) {
    if !plan.steps.isEmpty {
      for line in outline + [total] { console.result("-- \(line)") }
      let isScript = !plan.steps.contains { $0.kind == .rebuildTable }
      if !isScript { for line in Self.noScript { console.result("-- \(line)") } }
      for statement in plan.steps.flatMap(\.sql) {
        console.output.append(isScript ? statement + ";\n" : Self.comment(statement + ";"))
      }
    }
    for obstacle in plan.obstacles { console.warning(obstacle) }
    if plan.steps.isEmpty, plan.obstacles.isEmpty { console.info("the tables are as the mapping wants them") }
  }

  private static let noScript = [
    "no script: a table is made anew, and only ingest converts its values (_ingest_as) and drops nothing before all",
    "of them are there. The next run or load does this, in one transaction:",
  ]

  private static func comment(_ statement: String) -> String {
    statement.split(separator: "\n", omittingEmptySubsequences: false).map { "--   \($0)\n" }.joined()
  }

  // MARK: the outline

  private var outline: [String] {
    var lines: [String] = []
    var met: [String] = []
    for table in plan.steps.map(\.table) where !met.contains(where: { $0.utf8.elementsEqual(table.utf8) }) {
      met.append(table)
      let steps = plan.steps.filter { $0.table.utf8.elementsEqual(table.utf8) }
      lines.append(heading(table, steps))
      lines += steps.flatMap { self.lines(of: $0) }.map { "    \($0)" }
    }
    return lines
  }

  private func heading(_ table: String, _ steps: [SchemaPlan.Step]) -> String {
    if steps.contains(where: { $0.kind == .createTable }) { return "+ table \(table)" }
    let rename = steps.first { $0.kind == .renameTable }
    return "~ table \(table)" + (rename?.before.map { ", was \($0)" } ?? "")
  }

  private func lines(of step: SchemaPlan.Step) -> [String] {
    let column = step.column ?? ""
    let (before, after) = (step.before ?? "", step.after ?? "")
    switch step.kind {
    case .renameTable: return []
    case .createTable: return columns(of: step.table)
    case .addColumn: return ["+ column \(column) \(after)"]
    case .renameColumn: return ["~ column \(column), was \(before)"]
    case .widenColumn: return ["~ column \(column): \(before) to \(after)" + rows(step, " rewritten")]
    case .changeColumn: return ["~ column \(column): \(before) to \(after)" + loss(step, "lose their value")]
    case .changeKey: return ["- primary key (\(before))", "+ primary key (\(after))" + loss(step, "go")]
    case .addForeignKey: return ["+ \(after)" + loss(step, "refer to none")]
    case .createIndex: return ["+ \(after)" + rows(step, "")]
    case .rebuildTable: return ["~ made anew" + rows(step, " copied")]
    }
  }

  private func columns(of table: String) -> [String] {
    guard let shape = shapes.first(where: { $0.name.utf8.elementsEqual(table.utf8) }) else { return [] }
    var lines = shape.primaryKey.isEmpty ? ["+ column \(TableShape.generatedKey) integer, key"] : []
    for (index, column) in shape.columns.enumerated() {
      lines.append(
        "+ column \(column.name) \(column.type.rawValue)" + (shape.primaryKey.contains(index) ? ", key" : ""))
    }
    return lines
      + shape.foreignKeys.map { key in
        "+ foreign key (\(shape.names(key.columns).joined(separator: ", "))) to \(key.table)"
      }
  }

  private func rows(_ step: SchemaPlan.Step, _ what: String) -> String {
    step.affectedRows == 0 ? "" : ", \(Self.count(step.affectedRows, "row"))\(what)"
  }

  private func loss(_ step: SchemaPlan.Step, _ what: String) -> String {
    step.isLossy ? ", LOSES DATA: \(Self.count(step.affectedRows, "row")) would \(what)" : ""
  }

  // MARK: the sum

  private var total: String {
    let kinds = plan.steps.map(\.kind)
    func count(_ some: SchemaPlan.Step.Kind...) -> Int { kinds.count { some.contains($0) } }
    let created = plan.steps.filter { $0.kind == .createTable }.map(\.table)
    let changed = Set(plan.steps.map { Array($0.table.utf8) }).count - created.count
    let parts = [
      Self.part(created.count, "table", "to add"), Self.part(changed, "table", "to change"),
      Self.part(count(.addColumn), "column", "to add"),
      Self.part(count(.renameColumn, .widenColumn, .changeColumn), "column", "to change"),
      Self.part(count(.changeKey), "key", "to change"), Self.part(count(.createIndex), "index", "to add"),
    ]
    let sum = parts.compactMap(\.self).joined(separator: ", ")
    return plan.isLossy ? sum + "; what loses data is done with --allow-loss only" : sum
  }

  private static func part(_ number: Int, _ what: String, _ fate: String) -> String? {
    number == 0 ? nil : "\(count(number, what)) \(fate)"
  }

  private static func count(_ number: Int, _ what: String) -> String {
    if number == 1 { return "1 \(what)" }
    return "\(number) \(what.hasSuffix("x") ? what + "es" : what + "s")"
  }
}
