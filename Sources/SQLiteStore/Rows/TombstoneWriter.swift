import Records
import Store

/// Tombstones (`delete_when`): the row of that key goes at once, since what the body says of it later begins anew.
struct TombstoneWriter {
  private let sql: TableSQL
  private let table: Int
  private let memory: BodyMemory
  private let scope: BodyScope
  private let find: LazyStatement
  private let delete: LazyStatement

  init(_ connection: Connection, _ sql: TableSQL, index: Int, memory: BodyMemory, scope: BodyScope) {
    self.sql = sql
    self.memory = memory
    self.scope = scope
    table = index
    find = LazyStatement(sql.find, on: connection)
    delete = LazyStatement(sql.delete, on: connection)
  }

  /// Deletes the row whose key the cells hold. A row that is not there, or that the body itself brought, makes it an
  /// unchanged one.
  func write(_ cells: [Cell], at base: Int, _ outcome: inout RecordOutcome) throws(StoreError) {
    let find = try find.prepared()
    for (parameter, column) in sql.shape.primaryKey.enumerated() {
      try find.bind(cells[base + column], at: parameter)
    }
    guard try find.step() else { return outcome.unchanged += 1 }
    let number = find.integer(0)
    find.reset()
    try scope.willDelete(number, from: table)
    // Counted at the end of the body: the row may come again.
    if memory.isOpen {
      try memory.keepImage(of: number)
      try scope.keepImages(ofRowsOn: number, in: table)
    }
    if memory.isOpen { outcome.unchanged += 1 } else { outcome.deleted += 1 }
    let delete = try delete.prepared()
    try delete.bind(number, at: 0)
    try delete.run()
  }
}
