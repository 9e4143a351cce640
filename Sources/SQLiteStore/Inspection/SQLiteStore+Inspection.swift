package import Store

/// Questions about a store. A file that ingest has not written yet has no answers, which is none of their faults.
extension SQLiteStore: InspectableStore {
  package func latestRuns(of source: String, limit: Int) throws(StoreError) -> [StoredRun] {
    try runs("WHERE source = ?1 ORDER BY run_id DESC LIMIT ?2") { rows throws(StoreError) in
      try rows.bind(source, at: 0)
      try rows.bind(Int64(limit), at: 1)
    }
  }

  package func run(_ id: Int64) throws(StoreError) -> StoredRun? {
    try runs("WHERE run_id = ?1") { rows throws(StoreError) in try rows.bind(id, at: 0) }.first
  }

  package func runCount(of source: String) throws(StoreError) -> Int {
    guard try knows("_ingest_runs") else { return 0 }
    let rows = try opened.prepare("SELECT count(*) FROM _ingest_runs WHERE source = ?1")
    try rows.bind(source, at: 0)
    return try rows.step() ? Int(rows.integer(0)) : 0
  }

  private func runs(
    _ condition: String, _ bind: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) -> [StoredRun] {
    guard try knows("_ingest_runs") else { return [] }
    let rows = try opened.prepare(
      "SELECT run_id, command, mapping, started_at, finished_at, status, message FROM _ingest_runs \(condition)")
    try bind(rows)
    var runs: [StoredRun] = []
    while try rows.step() {
      var run = StoredRun(
        id: rows.integer(0), command: rows.text(1) ?? "", mapping: rows.text(2) ?? "", startedAt: rows.text(3) ?? "",
        status: rows.text(5) ?? "")
      (run.finishedAt, run.message) = (rows.text(4), rows.text(6))
      runs.append(run)
    }
    for index in runs.indices { runs[index].counts = try counts(of: runs[index].id) }
    return runs
  }

  private func counts(of run: Int64) throws(StoreError) -> [StoredCounts] {
    let rows = try opened.prepare("SELECT * FROM _ingest_counts WHERE run_id = ?1 ORDER BY rowid")
    try rows.bind(run, at: 0)
    var counts: [StoredCounts] = []
    while try rows.step() {
      let names = rows.columnNames
      counts.append(
        StoredCounts(record: rows.text(1) ?? "", numbers: (2..<rows.columnCount).map { (names[$0], rows.integer($0)) }))
    }
    return counts
  }

  package func states(of source: String) throws(StoreError) -> [ScopedState] {
    guard try states.isThere() else { return [] }
    let rows = try opened.prepare(
      "SELECT scope, name, value, run_id FROM _ingest_state WHERE source = ?1 ORDER BY scope, name")
    try rows.bind(source, at: 0)
    var states: [ScopedState] = []
    while try rows.step() {
      let entry = StateEntry(name: rows.text(1) ?? "", value: rows.text(2) ?? "", run: rows.integer(3))
      states.append(ScopedState(scope: rows.text(0) ?? "", entry: entry))
    }
    return states
  }

  package func holder(of source: String) throws(StoreError) -> SourceHolder? {
    guard try states.isThere() else { return nil }
    let found = try states.entries(source: source, scope: "", prefix: SourceLock.name).first {
      $0.name.utf8.elementsEqual(SourceLock.name.utf8)
    }
    guard let holder = found.flatMap({ Holder($0.value) }) else { return nil }
    let life: SourceHolder.Life =
      switch holder.life {
      case .alive: .alive
      case .gone: .gone
      case .unknown: .unknown
      }
    return SourceHolder(process: holder.process, host: holder.host, since: holder.since, life: life)
  }

  package func rejects(of source: String) throws(StoreError) -> [RejectGroup] {
    guard try knows("_ingest_rejects") else { return [] }
    let rows = try opened.prepare(
      """
      SELECT j.record, j.field, j.reason, count(*), max(j.run_id)
      FROM _ingest_rejects AS j JOIN _ingest_runs AS r ON r.run_id = j.run_id
      WHERE r.source = ?1 GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3
      """)
    try rows.bind(source, at: 0)
    var groups: [RejectGroup] = []
    while try rows.step() {
      groups.append(
        RejectGroup(
          record: rows.text(0) ?? "", field: rows.text(1), reason: rows.text(2) ?? "", count: Int(rows.integer(3)),
          latestRun: rows.integer(4)))
    }
    return groups
  }

  package func files(of source: String) throws(StoreError) -> [LoadedFile] {
    guard try knows("_ingest_files") else { return [] }
    let rows = try opened.prepare(
      """
      SELECT f.run_id, f.name, f.path, f.endpoint, f.method, f.url, f.status, f.variables, f.size, f.modified,
        f.read_at
      FROM _ingest_files AS f JOIN _ingest_runs AS r ON r.run_id = f.run_id WHERE r.source = ?1 ORDER BY f.rowid
      """)
    try rows.bind(source, at: 0)
    var files: [LoadedFile] = []
    while try rows.step() {
      var file = LoadedFile(
        name: rows.text(1) ?? "", endpoint: rows.text(3) ?? "", status: Int(rows.integer(6)),
        variables: rows.text(7) ?? "[]", readAt: rows.text(10) ?? "")
      file.run = rows.integer(0)
      (file.path, file.method, file.url) = (rows.text(2), rows.text(4), rows.text(5))
      file.size = rows.isNull(8) ? nil : rows.integer(8)
      file.modified = rows.isNull(9) ? nil : rows.integer(9)
      files.append(file)
    }
    return files
  }

  /// Has the file this table of the bookkeeping? An older ingest may not have made it.
  private func knows(_ table: String) throws(StoreError) -> Bool {
    guard try Bookkeeping.version(of: opened) > 0 else { return false }
    return try opened.has(table: table)
  }
}
