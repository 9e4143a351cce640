import Records
import Store

/// Brings a database to what a mapping wants, in one transaction, or leaves it as it was.
struct SchemaChange {
  let connection: Connection
  let wanted: [TableShape]
  let allowingLoss: Bool

  /// Writes nothing when nothing is to be done.
  func apply() throws(StoreError) {
    guard try isNeeded() else { return }
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Anew: another process may have changed the database meanwhile.
      try Bookkeeping.upgrade(connection, from: Bookkeeping.version(of: connection))
      for step in try plan().steps { try take(step) }
      try connection.run("COMMIT")
    } catch {
      // What went wrong first is the news, even if undoing it fails too.
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  private func isNeeded() throws(StoreError) -> Bool {
    guard try Bookkeeping.version(of: connection) == Bookkeeping.versions.count else { return true }
    return try !plan().steps.isEmpty
  }

  private func plan() throws(StoreError) -> SchemaPlan {
    let plan = try SchemaPlanner(
      connection, noted: Bookkeeping.noted(on: connection), wanted: wanted, allowingLoss: allowingLoss
    ).plan
    guard plan.refusals.isEmpty else {
      throw StoreError(.refused, "'\(connection.path)': " + plan.refusals.joined(separator: "; "))
    }
    return plan
  }

  private func take(_ step: SchemaStep) throws(StoreError) {
    switch step {
    case .createTable(let table, let sql), .addColumn(let table, let sql):
      do throws(StoreError) {
        try connection.run(sql)
      } catch {
        throw StoreError(error.code, "table '\(table)' cannot be made or widened: \(error.message)")
      }
    case .createIndex(let table, let columns, let sql):
      do throws(StoreError) {
        try connection.run(sql)
      } catch {
        guard error.code == .constraint else { throw error }
        let names = columns.joined(separator: ", ")
        throw StoreError(
          .refused, "table '\(table)' holds rows that are equal in (\(names)): no unique index can be made")
      }
    case .note(let table, let column, let type):
      try Bookkeeping.note(type, table: table, column: column, on: connection)
    }
  }
}
