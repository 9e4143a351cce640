import Records
import Store

/// Brings a database to what a mapping wants, in one transaction, or leaves it as it was.
struct SchemaChange {
  let connection: Connection
  let wanted: [TableShape]

  /// What there is to do. It changes nothing.
  func plan() throws(StoreError) -> SchemaPlan { try planner().plan }

  /// Writes nothing when nothing is to be done. Steps that lose data are refused, unless `allowingLoss`. `following` is
  /// told which tables were made, within the transaction.
  func apply(allowingLoss: Bool, following: ([String]) throws(StoreError) -> Void = { _ in }) throws(StoreError) {
    guard try isNeeded() else { return }
    // A table that is made anew is dropped on the way: its children must not go with it.
    try connection.run("PRAGMA foreign_keys = OFF")
    do throws(StoreError) {
      try connection.run("BEGIN IMMEDIATE")
      try following(try change(allowingLoss: allowingLoss))
      try connection.run("COMMIT")
    } catch {
      // What went wrong first is the news, even if undoing it fails too.
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      try connection.run("PRAGMA foreign_keys = ON")
      throw error
    }
    try connection.run("PRAGMA foreign_keys = ON")
  }

  private func isNeeded() throws(StoreError) -> Bool {
    guard try Bookkeeping.version(of: connection) == Bookkeeping.versions.count else { return true }
    return try !planner().isEmpty
  }

  private func planner() throws(StoreError) -> SchemaPlanner {
    try StoredConversion.register(on: connection)
    let noted = try Bookkeeping.version(of: connection) == 0 ? nil : Bookkeeping.noted(on: connection)
    return try SchemaPlanner(connection, noted: noted, wanted: wanted)
  }

  /// The tables that were made.
  private func change(allowingLoss: Bool) throws(StoreError) -> [String] {
    try Bookkeeping.upgrade(connection, from: Bookkeeping.version(of: connection))
    // Anew: another process may have changed the database meanwhile.
    let planner = try planner()
    try refuse(planner.plan, allowingLoss: allowingLoss)
    let isRebuilding = planner.steps.contains { if case .rebuild = $0.action { true } else { false } }
    let references = ReferenceCheck(connection: connection)
    let broken = isRebuilding ? try references.count() : 0
    for (step, action) in planner.steps { try take(step, action) }
    for note in planner.notes {
      try Bookkeeping.note(note.type, table: note.table, column: note.column, on: connection)
    }
    let made = planner.plan.steps.filter { $0.kind == .createTable }.map(\.table)
    guard isRebuilding else { return made }
    if allowingLoss { try references.repair(in: wanted) }
    if try references.count() > broken {
      throw StoreError(
        .refused, "'\(connection.path)': rows would refer to rows that are gone; this is not done without --allow-loss")
    }
    return made
  }

  private func refuse(_ plan: SchemaPlan, allowingLoss: Bool) throws(StoreError) {
    var reasons = plan.obstacles
    if !allowingLoss {
      for step in plan.steps where step.isLossy {
        let what = step.kind == .changeColumn ? "values" : step.kind == .changeKey ? "rows" : "rows that refer to none"
        let rows = step.affectedRows
        let loss =
          rows == 0
          ? "this could lose \(what), though none that is stored now"
          : "this would lose \(what) of \(rows == 1 ? "1 row" : "\(rows) rows")"
        reasons.append("\(step.summary); \(loss), so it is not done without --allow-loss")
      }
    }
    guard reasons.isEmpty else {
      let isLossy = reasons.count > plan.obstacles.count
      let ways = isLossy ? "; 'ingest plan' shows all steps, and the mapping as it was leaves the table as it is" : ""
      throw StoreError(.refused, "'\(connection.path)': " + reasons.joined(separator: "; ") + ways)
    }
  }

  private func take(_ step: SchemaPlan.Step, _ action: SchemaPlanner.Action) throws(StoreError) {
    do throws(StoreError) {
      switch action {
      case .nothing: return
      case .statements: for sql in step.sql { try connection.prepare(sql).run() }
      case .rebuild(let rebuild): try rebuild.run(on: connection)
      }
    } catch {
      if step.kind == .createIndex, error.code == .constraint {
        let columns = step.summary.split(separator: " on (").last.map { "(" + $0 } ?? ""
        throw StoreError(
          .refused, "table '\(step.table)' holds rows that are equal in \(columns): no unique index can be made")
      }
      let shape = step.kind == .createIndex ? wanted.first { $0.name.utf8.elementsEqual(step.table.utf8) } : nil
      throw StoreError(
        error.code == .failed ? .refused : error.code,
        "table '\(step.table)' cannot be changed (\(step.kind.rawValue)): "
          + "\(shape?.placing(error).message ?? error.message)"
      )
    }
  }
}
