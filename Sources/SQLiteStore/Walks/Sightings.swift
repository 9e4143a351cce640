import Records
import Store

/// What walks see: the rows of records whose unseen rows may go, and of those that lead to such rows.
///
/// Nil for a schema without `sweep` and `write: replace`: then nothing is noted, and no table is made or read.
final class Sightings {
  /// The schema's tables that are noted, in their order.
  let tables: [SightedTable]
  let graph: SightingGraph
  private let connection: Connection
  private let scopes: ScopeTable
  private let sweeper: ScopeSweep
  /// Nil between walks.
  private var walk: (scope: WalkScope, number: Int64, source: String)?

  init?(_ connection: Connection, _ schema: StoreSchema, _ sqls: [TableSQL], _ body: BodyScope) throws(StoreError) {
    let swept = Set(
      sqls.indices.filter {
        let shape = sqls[$0].shape
        return shape.role == .record && (shape.sweep != nil || shape.write == .replace)
      })
    guard !swept.isEmpty else { return nil }
    self.connection = connection
    graph = SightingGraph(sqls)
    let orphans = sqls.indices.filter { body.orphans?.follows($0) ?? false }
    tables = graph.tables(leadingTo: swept).union(orphans).sorted().map { index in
      SightedTable(
        connection, sqls[index], index: index, record: schema.tables[index].record ?? sqls[index].shape.name,
        isSwept: swept.contains(index))
    }
    scopes = ScopeTable(connection)
    sweeper = ScopeSweep(connection, tables, body)
    try SightingTables(connection: connection).prepare(tables)
  }

  /// Whether a record that the walk replaces, and that may lose nothing for one of the reasons, has no key.
  func mustUndo(_ walk: WalkScope, _ reasons: [(record: String, reason: String)]) -> Bool {
    tables.contains { table in
      table.key.isEmpty && walk.has(table.record)
        && reasons.contains { $0.record.utf8.elementsEqual(table.record.utf8) }
    }
  }

  func table(_ index: Int) -> SightedTable? { tables.first { $0.table == index } }

  /// Starts a walk, outside of any transaction, and gives the number of its scope.
  func open(_ walk: WalkScope, source: String) throws(StoreError) -> Int64 {
    try sweeper.check(walk)
    let number = try scopes.number(of: walk.scope, source: source)
    scopes.forget()
    for table in tables { try table.open(scope: number) }
    self.walk = (walk, number, source)
    return number
  }

  func close() throws(StoreError) {
    guard walk != nil else { return }
    walk = nil
    for table in tables { try table.close() }
  }

  /// Notes what a body has brought: rows that were written, that stay as they are, and that were skipped or rejected;
  /// no tombstones, and nothing that a rejected row took along.
  func note(_ parts: [BodyPart], of batch: RecordBatch, _ verdicts: RowVerdicts?) throws(StoreError) {
    guard walk != nil else { return }
    for table in tables where !table.key.isEmpty {
      let rows = batch.tables[table.table]
      for row in parts[table.table].rows where !rows.rows[row].isTombstone {
        if let verdicts, verdicts[RowReference(table: table.table, row: row)] == .notReceived { continue }
        try table.note(rows.cells, at: row * rows.columnCount)
      }
    }
  }

  /// Removes what the walk has not seen, in the transaction at hand. Records that `reasons` names lose nothing.
  func sweep(except reasons: [(record: String, reason: String)]) throws(StoreError) -> [SweepOutcome] {
    guard let walk else { return [] }
    func reason(_ record: String) -> String? {
      reasons.first { $0.record.utf8.elementsEqual(record.utf8) }?.reason
    }
    let swept = tables.filter { $0.isSwept && walk.scope.has($0.record) && reason($0.record) == nil }
    let deletions = try sweeper.sweep(swept, scope: walk.number, along: graph) { other throws(StoreError) in
      try scopes.protects(other, source: walk.source, walk.scope)
    }
    return tables.filter { $0.isSwept && walk.scope.has($0.record) }.map { table in
      if let reason = reason(table.record) { return SweepOutcome(record: table.record, reason: reason) }
      let deletion = deletions[table.table] ?? ScopeSweep.Deletion()
      return SweepOutcome(record: table.record, deleted: deletion.deleted, kept: deletion.kept)
    }
  }

  /// The transaction at hand is committed.
  func settle() { for table in tables { table.settle() } }

  /// It was undone.
  func forget() { for table in tables { table.forget() } }
}

extension WalkScope {
  func has(_ record: String) -> Bool { records.contains { $0.utf8.elementsEqual(record.utf8) } }
}
