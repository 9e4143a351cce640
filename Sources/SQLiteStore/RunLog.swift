import Records
import Store

/// Writes the bookkeeping of a run.
final class RunLog {
  private let connection: Connection
  private let counts: LazyStatement
  private let swept: LazyStatement
  private let reject: LazyStatement
  private let error: LazyStatement
  private var run: Int64?
  private var redacted: (@Sendable (Rejection) -> Rejection)?

  /// UTC with milliseconds, as text that sorts.
  private static var now: String { "strftime('%Y-%m-%d %H:%M:%f', 'now')" }

  init(_ connection: Connection) {
    self.connection = connection
    counts = LazyStatement(
      """
      INSERT INTO _ingest_counts
        (run_id, record, received, inserted, updated, unchanged, deleted, skipped, filtered, rejected)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT (run_id, record) DO UPDATE SET
        received = received + excluded.received, inserted = inserted + excluded.inserted,
        updated = updated + excluded.updated, unchanged = unchanged + excluded.unchanged,
        deleted = deleted + excluded.deleted, skipped = skipped + excluded.skipped,
        filtered = filtered + excluded.filtered, rejected = rejected + excluded.rejected
      """, on: connection)
    swept = LazyStatement(
      """
      INSERT INTO _ingest_counts
        (run_id, record, received, inserted, updated, unchanged, deleted, skipped, filtered, rejected, swept)
      VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, 0, 0, ?3)
      ON CONFLICT (run_id, record) DO UPDATE SET swept = swept + excluded.swept
      """, on: connection)
    reject = LazyStatement(
      """
      INSERT INTO _ingest_rejects (run_id, endpoint, source, record, pointer, field, reason, value, context, redacted)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """, on: connection)
    error = LazyStatement(
      """
      INSERT INTO _ingest_errors
        (run_id, endpoint, at, method, url, status, code, message, excerpt, action, attempt)
      VALUES (?1, ?2, \(Self.now), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """, on: connection)
  }

  func begin(_ entry: RunEntry) throws(StoreError) -> Int64 {
    let statement = try connection.prepare(
      """
      INSERT INTO _ingest_runs (source, command, mapping, started_at, status)
      VALUES (?1, ?2, ?3, \(Self.now), 'running')
      """)
    for (place, text) in [entry.source, entry.command, entry.mapping].enumerated() {
      try statement.bind(text, at: place)
    }
    try statement.run()
    let number = connection.lastInsertedRow
    run = number
    redacted = entry.redacted
    return number
  }

  func end(status: String, message: String?) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE _ingest_runs SET finished_at = \(Self.now), status = ?2, message = ?3 WHERE run_id = ?1")
    try statement.bind(current, at: 0)
    try statement.bind(status, at: 1)
    try statement.bind(message, at: 2)
    try statement.run()
  }

  /// The end of the run is kept: nothing more belongs to it.
  func leave() { run = nil }

  func add(_ counts: RecordCounts, of record: String) throws(StoreError) {
    let statement = try self.counts.prepared()
    try statement.bind(current, at: 0)
    try statement.bind(record, at: 1)
    for (place, count) in counts.inOrder.enumerated() { try statement.bind(Int64(count), at: place + 2) }
    try statement.run()
  }

  /// Rows that went since a walk has not seen them: nothing that was received.
  func add(swept count: Int, of record: String) throws(StoreError) {
    let statement = try swept.prepared()
    try statement.bind(current, at: 0)
    try statement.bind(record, at: 1)
    try statement.bind(Int64(count), at: 2)
    try statement.run()
  }

  func add(_ rejection: Rejection, source: String) throws(StoreError) {
    let rejection = redacted?(rejection) ?? rejection
    let statement = try reject.prepared()
    try statement.bind(current, at: 0)
    try statement.bind(rejection.endpoint, at: 1)
    try statement.bind(source, at: 2)
    try statement.bind(rejection.record, at: 3)
    try statement.bind(rejection.pointer, at: 4)
    try statement.bind(rejection.field, at: 5)
    try statement.bind(rejection.reason, at: 6)
    try statement.bind(text: rejection.value, at: 7)
    try statement.bind(rejection.context, at: 8)
    try statement.bind(Int64(rejection.isRedacted ? 1 : 0), at: 9)
    try statement.run()
  }

  func add(_ entry: ErrorEntry) throws(StoreError) {
    let statement = try error.prepared()
    try statement.bind(current, at: 0)
    try statement.bind(entry.endpoint, at: 1)
    try statement.bind(entry.method, at: 2)
    try statement.bind(entry.url, at: 3)
    try statement.bind(entry.status.map(Int64.init), at: 4)
    for (place, text) in [entry.code, entry.message, entry.excerpt, entry.action].enumerated() {
      try statement.bind(text, at: place + 5)
    }
    try statement.bind(Int64(entry.attempt), at: 9)
    try statement.run()
  }

  func add(_ file: LoadedFile) throws(StoreError) {
    let statement = try connection.prepare(
      """
      INSERT INTO _ingest_files
        (run_id, name, path, endpoint, method, url, status, variables, read_at, size, modified)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
    let texts = [file.name, file.path, file.endpoint, file.method, file.url]
    for (place, text) in texts.enumerated() { try statement.bind(text, at: place + 1) }
    try statement.bind(current, at: 0)
    try statement.bind(Int64(file.status), at: 6)
    try statement.bind(file.variables, at: 7)
    try statement.bind(file.readAt, at: 8)
    try statement.bind(file.size, at: 9)
    try statement.bind(file.modified, at: 10)
    try statement.run()
  }

  private var current: Int64 {
    guard let run else { preconditionFailure("bookkeeping belongs to a run: begin one first") }
    return run
  }
}
