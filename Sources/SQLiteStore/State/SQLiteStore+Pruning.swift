package import Store

extension SQLiteStore: PrunableStore {
  package func prune(_ rule: PruningRule) throws(StoreError) -> PruningOutcome {
    try opened.interruptibly { () throws(StoreError) in try inTransaction { (_) throws(StoreError) in try remove(rule) }
    }
  }

  private func remove(_ rule: PruningRule) throws(StoreError) -> PruningOutcome {
    var outcome = PruningOutcome()
    try choose(rule)
    outcome.bytes = try archivedBytes()
    outcome.responses = try remove(from: "_ingest_responses")
    outcome.rejects = try remove(from: "_ingest_rejects")
    outcome.errors = try remove(from: "_ingest_errors")
    outcome.files = try remove(from: "_ingest_files")
    _ = try remove(from: "_ingest_counts")
    outcome.runs = try remove(from: "_ingest_runs")
    outcome.runsLeft = try runCount(of: rule.source)
    try states.apply(rule.forgotten, source: rule.source, run: 0)
    try opened.run("DROP TABLE temp._ingest_pruned")
    return outcome
  }

  /// The numbers of the runs that go.
  private func choose(_ rule: PruningRule) throws(StoreError) {
    try opened.run("CREATE TEMP TABLE _ingest_pruned (run_id INTEGER PRIMARY KEY)")
    let choice = try opened.prepare(
      """
      INSERT INTO temp._ingest_pruned SELECT run_id FROM _ingest_runs
      WHERE source = ?1 AND coalesce(finished_at, started_at) < strftime('%Y-%m-%d %H:%M:%f', 'now', ?2)
        AND run_id < (SELECT max(run_id) FROM _ingest_runs WHERE source = ?1) AND (?3 IS NULL OR run_id < ?3)
      """)
    let (seconds, fraction) = rule.keep.components
    let milliseconds = String(fraction / 1_000_000_000_000_000 + 1000).dropFirst()
    try choice.bind(rule.source, at: 0)
    try choice.bind("-\(seconds).\(milliseconds) seconds", at: 1)
    try choice.bind(rule.firstNeeded, at: 2)
    try choice.run()
  }

  private static let isPruned = "run_id IN (SELECT run_id FROM temp._ingest_pruned)"

  private func archivedBytes() throws(StoreError) -> Int64 {
    let rows = try opened.prepare("SELECT sum(packed_size) FROM _ingest_responses WHERE \(Self.isPruned)")
    return try rows.step() ? rows.integer(0) : 0
  }

  private func remove(from table: String) throws(StoreError) -> Int {
    try opened.prepare("DELETE FROM \(table) WHERE \(Self.isPruned)").run()
    return opened.changes
  }
}
