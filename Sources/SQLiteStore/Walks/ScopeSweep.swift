import Records
import Store

/// The sweep: rows of a walk's scope that the walk has not seen are deleted.
///
/// Those stay that another scope has seen, that a seen row refers to, or for which the rule's condition does not hold.
/// A sweep that would take more than the rule allows is refused, before any row is gone.
final class ScopeSweep {
  /// What went, and what was not seen and stays.
  struct Deletion {
    var deleted = 0
    var kept = 0
  }

  private let connection: Connection
  private let tables: [SightedTable]
  private let body: BodyScope
  /// Rows to delete, by table.
  private var doomed: [Int: RowNumberSet] = [:]
  private var clock = VersionClock()

  init(_ connection: Connection, _ tables: [SightedTable], _ body: BodyScope) {
    self.connection = connection
    self.tables = tables
    self.body = body
    for table in tables where table.isSwept {
      doomed[table.table] = RowNumberSet()
    }
  }

  /// Finds a condition that SQL does not understand before a row comes.
  func check(_ walk: WalkScope) throws(StoreError) {
    for table in tables where table.isSwept && walk.has(table.record) { _ = try condition(of: table) }
  }

  /// `protects`: is what another scope has seen protected?
  func sweep(
    _ swept: [SightedTable], scope: Int64, along graph: SightingGraph,
    protects: (Int64) throws(StoreError) -> Bool
  ) throws(StoreError) -> [Int: Deletion] {
    defer { for numbers in doomed.values { numbers.removeAll() } }
    var lacking: [SightedTable] = []
    for table in swept where try hasUnseen(table, scope: scope) { lacking.append(table) }
    if lacking.isEmpty { return [:] }
    var totals: [Int] = []
    for table in lacking { totals.append(try count(table, scope: scope)) }
    try follow(graph)
    var deletions: [Int: Deletion] = [:]
    for (table, total) in zip(lacking, totals) {
      let deletion = try find(table, scope: scope, protects: protects)
      try checkBound(table, deleting: deletion.deleted, of: total)
      deletions[table.table] = deletion
    }
    for table in lacking { try delete(table) }
    try sweepOrphans()
    for table in lacking { try lapse(table, scope: scope) }
    return deletions
  }

  // MARK: what counts as seen

  private func hasUnseen(_ table: SightedTable, scope: Int64) throws(StoreError) -> Bool {
    let unseen = try connection.prepare(
      "SELECT 1 FROM \(table.stored) AS m WHERE m.scope = ?1 AND NOT \(table.isSeen) LIMIT 1")
    try unseen.bind(scope, at: 0)
    return try unseen.step()
  }

  /// What seen rows refer to is seen too. Each round looks at what the one before has added, and ends when that is
  /// nothing.
  private func follow(_ graph: SightingGraph) throws(StoreError) {
    let edges = graph.edges.compactMap {
      edge -> (owner: SightedTable, target: SightedTable, edge: SightingGraph.Edge)? in
      guard let owner = tables.first(where: { $0.table == edge.owner }),
        let target = tables.first(where: { $0.table == edge.target })
      else { return nil }
      return (owner, target, edge)
    }
    var start: [Int: Int64] = [:]
    for table in tables { start[table.table] = try table.last() }
    var looked: [Int: Int64] = [:]
    while true {
      var ends: [Int: Int64] = [:]
      for table in tables { ends[table.table] = try table.last() }
      for (owner, target, edge) in edges where looked[edge.owner, default: 0] < ends[edge.owner, default: 0] {
        let isThere = edge.values.map { "\($0) IS NOT NULL" }.conjunction
        let step = try connection.prepare(
          "INSERT OR IGNORE INTO \(target.temp) SELECT \(edge.values.joined(separator: ", ")) "
            + "FROM \(owner.temp) AS s JOIN \(edge.source) "
            + "WHERE s.rowid > ?1 AND s.rowid <= ?2 AND \(isThere)\(version(edge, owner))")
        try step.bind(looked[edge.owner, default: 0], at: 0)
        try step.bind(ends[edge.owner, default: 0], at: 1)
        try step.run()
      }
      if looked == ends { break }
      looked = ends
    }
    for table in tables { try table.noteReferred(after: start[table.table] ?? 0) }
  }

  /// A row of a history refers by its current version.
  private func version(_ edge: SightingGraph.Edge, _ owner: SightedTable) -> String {
    edge.source.utf8.starts(with: "\(owner.sql.table) AS h".utf8) ? owner.sql.currentVersion("h") : ""
  }

  // MARK: what goes

  private func find(
    _ table: SightedTable, scope: Int64, protects: (Int64) throws(StoreError) -> Bool
  ) throws(StoreError) -> Deletion {
    guard let doomed = doomed[table.table] else { preconditionFailure("a table that is swept has a set of rows to go") }
    let unseen = try connection.prepare(
      "SELECT t.\(table.sql.rowNumber) FROM \(table.stored) AS m JOIN \(table.sql.table) AS t ON \(table.isSameRow) "
        + "WHERE m.scope = ?1 AND NOT \(table.isSeen)")
    let others = try connection.prepare(
      "SELECT m.scope FROM \(table.stored) AS m JOIN \(table.sql.table) AS t ON \(table.isSameRow) "
        + "WHERE t.\(table.sql.rowNumber) = ?1 AND m.scope <> ?2 AND m.is_seen = 1")
    let condition = try condition(of: table)
    try unseen.bind(scope, at: 0)
    try others.bind(scope, at: 1)
    var deletion = Deletion()
    while try unseen.step() {
      let number = unseen.integer(0)
      try others.bind(number, at: 0)
      var isKept = false
      while try others.step() {
        isKept = try protects(others.integer(0))
        if isKept { break }
      }
      others.reset()
      if !isKept, let condition {
        isKept = try !holds(condition, number, of: table)
      }
      if isKept {
        deletion.kept += 1
      } else {
        deletion.deleted += 1
        try doomed.insert(number)
      }
    }
    return deletion
  }

  /// Gives a row for the number of one for which the rule's condition holds; nil without a condition.
  private func condition(of table: SightedTable) throws(StoreError) -> Statement? {
    guard let condition = table.sql.shape.sweep?.condition else { return nil }
    do throws(StoreError) {
      // On lines of its own: it may end with a comment.
      return try ConditionGuard.prepare(
        "SELECT 1 FROM \(table.sql.table) WHERE \(table.sql.rowNumber) = ?1 AND (\n\(condition)\n)", on: connection)
    } catch {
      throw StoreError(
        error.code == .failed ? .refused : error.code, "\(words(of: table)) cannot be run: \(error.message)")
    }
  }

  private func holds(_ condition: Statement, _ number: Int64, of table: SightedTable) throws(StoreError) -> Bool {
    try condition.bind(number, at: 0)
    defer { condition.reset() }
    do throws(StoreError) {
      return try condition.step()
    } catch {
      throw StoreError(error.code, "\(words(of: table)) fails on a row, and nothing was swept: \(error.message)")
    }
  }

  private func words(of table: SightedTable) -> String {
    table.sql.shape.sweep?.conditionPlace ?? "the 'where' of the sweep of '\(table.record)'"
  }

  /// The scope's rows before the walk.
  private func count(_ table: SightedTable, scope: Int64) throws(StoreError) -> Int {
    let rows = try connection.prepare(
      "SELECT count(*) FROM \(table.stored) AS m JOIN \(table.sql.table) AS t ON \(table.isSameRow) WHERE m.scope = ?1")
    try rows.bind(scope, at: 0)
    return try rows.step() ? Int(rows.integer(0)) - table.fresh : 0
  }

  private func checkBound(_ table: SightedTable, deleting count: Int, of total: Int) throws(StoreError) {
    guard count > 0 else { return }
    let bound: String
    switch table.sql.shape.sweep?.maxDelete {
    case .rows(let most):
      if count <= most { return }
      bound = "\(most)"
    case .share(let thousandths):
      if count * 1000 <= total * thousandths { return }
      bound = thousandths % 10 == 0 ? "\(thousandths / 10)%" : "\(thousandths / 10).\(thousandths % 10)%"
    case nil:
      if total < 20 || count * 2 <= total { return }
      bound = "50%, the default once there are 20 rows"
    }
    let what = table.sql.shape.write == .replace ? "replacing" : "the sweep of"
    throw StoreError(
      .failed,
      "\(what) '\(table.record)' would delete \(count) of the scope's \(total) rows, more than 'max_delete' allows "
        + "(\(bound)): no row was deleted; if they are gone indeed, raise 'max_delete' in the mapping for this run; "
        + "files that are not all there is want 'load --partial'")
  }

  private func delete(_ table: SightedTable) throws(StoreError) {
    guard let doomed = doomed[table.table], !doomed.isEmpty else { return }
    let key = table.keyNames.indices.map { "k\($0)" }.joined(separator: ", ")
    let membership = try connection.prepare(
      "DELETE FROM \(table.stored) WHERE (\(key)) = (SELECT \(table.keyNames.joined(separator: ", ")) "
        + "FROM \(table.sql.table) WHERE \(table.sql.rowNumber) = ?1)")
    let isHistory = table.sql.shape.write == .history
    let versions = isHistory ? VersionTable(connection, table.sql) : nil
    let deletion = try connection.prepare(table.sql.delete)
    try doomed.forEach { number throws(StoreError) in
      try membership.bind(number, at: 0)
      try membership.run()
      if let versions {
        try body.willEnd(number, of: table.table)
        try versions.end(number, at: clock.next(after: versions.start(of: number)))
      } else {
        try body.willDelete(number, from: table.table)
        try deletion.bind(number, at: 0)
        try deletion.run()
      }
    }
    doomed.removeAll()
  }

  /// Children that lost their last parent with a row that went, where their relationship says so; not those that the
  /// walk has seen.
  private func sweepOrphans() throws(StoreError) {
    body.orphans?.isSeen = { [tables] number, index throws(StoreError) in
      try tables.first { $0.table == index }?.hasSeen(number) ?? false
    }
    defer { body.orphans?.isSeen = nil }
    try body.endBody()
  }

  /// What the scope has not seen any more, and is still there, protects nothing; what is not there is forgotten.
  private func lapse(_ table: SightedTable, scope: Int64) throws(StoreError) {
    let isThere = "EXISTS (SELECT 1 FROM \(table.sql.table) AS t WHERE \(table.isSameRow))"
    let steps = [
      "DELETE FROM \(table.stored) AS m WHERE m.scope = ?1 AND NOT \(table.isSeen) AND NOT \(isThere)",
      "UPDATE \(table.stored) AS m SET is_seen = 0 WHERE m.scope = ?1 AND m.is_seen = 1 AND NOT \(table.isSeen)",
    ]
    for sql in steps {
      let step = try connection.prepare(sql)
      try step.bind(scope, at: 0)
      try step.run()
    }
  }
}
