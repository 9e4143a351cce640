import Store

/// The store's own tables, `_ingest_…`.
enum Bookkeeping {
  /// What made each version of them out of the one before, from version 1. A version that has been released is never
  /// changed: a new one is added.
  static let versions: [[String]] = [
    [
      """
      CREATE TABLE _ingest_runs (
        run_id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, command TEXT NOT NULL, mapping TEXT NOT NULL,
        started_at TEXT NOT NULL, finished_at TEXT, status TEXT NOT NULL, message TEXT
      ) STRICT
      """,
      """
      CREATE TABLE _ingest_counts (
        run_id INTEGER NOT NULL, record TEXT NOT NULL, received INTEGER NOT NULL, inserted INTEGER NOT NULL,
        updated INTEGER NOT NULL, unchanged INTEGER NOT NULL, deleted INTEGER NOT NULL, skipped INTEGER NOT NULL,
        filtered INTEGER NOT NULL, rejected INTEGER NOT NULL, PRIMARY KEY (run_id, record)
      ) STRICT
      """,
      """
      CREATE TABLE _ingest_state (
        source TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT, run_id INTEGER NOT NULL,
        PRIMARY KEY (source, scope, name)
      ) STRICT
      """,
      """
      CREATE TABLE _ingest_rejects (
        run_id INTEGER NOT NULL, endpoint TEXT NOT NULL, source TEXT NOT NULL, record TEXT NOT NULL,
        pointer TEXT NOT NULL, field TEXT, reason TEXT NOT NULL, value TEXT NOT NULL, context TEXT
      ) STRICT
      """,
      """
      CREATE TABLE _ingest_errors (
        run_id INTEGER NOT NULL, endpoint TEXT, at TEXT NOT NULL, method TEXT, url TEXT, status INTEGER, code TEXT,
        message TEXT, excerpt TEXT, action TEXT, attempt INTEGER NOT NULL
      ) STRICT
      """,
      """
      CREATE TABLE _ingest_schema (
        "table" TEXT NOT NULL, "column" TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY ("table", "column")
      ) STRICT
      """,
    ],
    [
      """
      CREATE TABLE _ingest_scopes (
        scope INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (source, name)
      ) STRICT
      """
    ],
    [
      """
      CREATE TABLE _ingest_responses (
        response_id INTEGER PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL, source TEXT NOT NULL,
        endpoint TEXT NOT NULL, method TEXT, url TEXT, path TEXT, file TEXT, status INTEGER NOT NULL,
        fetched_at TEXT NOT NULL, headers TEXT NOT NULL, variables TEXT NOT NULL, charset TEXT, scope TEXT,
        obsolete_since INTEGER, size INTEGER NOT NULL, packed_size INTEGER NOT NULL, body BLOB NOT NULL
      ) STRICT
      """,
      "CREATE INDEX _ingest_responses_of_scope ON _ingest_responses (source, scope, obsolete_since)",
    ],
    [
      """
      CREATE TABLE _ingest_files (
        run_id INTEGER NOT NULL, name TEXT NOT NULL, path TEXT, endpoint TEXT NOT NULL, method TEXT, url TEXT,
        status INTEGER NOT NULL, variables TEXT NOT NULL, read_at TEXT NOT NULL, size INTEGER, modified INTEGER
      ) STRICT
      """,
      """
      CREATE VIEW _ingest_last_run AS
      SELECT r.source, r.run_id, r.command, r.mapping, r.started_at, r.finished_at, r.status, r.message,
        coalesce(sum(c.received), 0) AS received, coalesce(sum(c.inserted), 0) AS inserted,
        coalesce(sum(c.updated), 0) AS updated, coalesce(sum(c.unchanged), 0) AS unchanged,
        coalesce(sum(c.deleted), 0) AS deleted, coalesce(sum(c.skipped), 0) AS skipped,
        coalesce(sum(c.filtered), 0) AS filtered, coalesce(sum(c.rejected), 0) AS rejected
      FROM _ingest_runs AS r LEFT JOIN _ingest_counts AS c ON c.run_id = r.run_id
      WHERE r.run_id IN (SELECT max(run_id) FROM _ingest_runs GROUP BY source)
      GROUP BY r.run_id
      """,
    ],
    [
      "ALTER TABLE _ingest_responses ADD COLUMN redacted INTEGER",
      "ALTER TABLE _ingest_rejects ADD COLUMN redacted INTEGER",
    ],
    [
      "ALTER TABLE _ingest_counts ADD COLUMN swept INTEGER NOT NULL DEFAULT 0",
      "DROP VIEW IF EXISTS _ingest_last_run",
      """
      CREATE VIEW _ingest_last_run AS
      SELECT r.source, r.run_id, r.command, r.mapping, r.started_at, r.finished_at, r.status, r.message,
        coalesce(sum(c.received), 0) AS received, coalesce(sum(c.inserted), 0) AS inserted,
        coalesce(sum(c.updated), 0) AS updated, coalesce(sum(c.unchanged), 0) AS unchanged,
        coalesce(sum(c.deleted), 0) AS deleted, coalesce(sum(c.skipped), 0) AS skipped,
        coalesce(sum(c.filtered), 0) AS filtered, coalesce(sum(c.rejected), 0) AS rejected,
        coalesce(sum(c.swept), 0) AS swept
      FROM _ingest_runs AS r LEFT JOIN _ingest_counts AS c ON c.run_id = r.run_id
      WHERE r.run_id IN (SELECT max(run_id) FROM _ingest_runs GROUP BY source)
      GROUP BY r.run_id
      """,
    ],
  ]

  /// Of a row of `_ingest_schema` that is about the bookkeeping itself: its type is the version.
  private static let ownName = "_ingest_schema"

  /// The version of a database; 0 when it has no bookkeeping yet. A newer one than this program knows is refused.
  static func version(of connection: Connection) throws(StoreError) -> Int {
    guard try connection.has(table: ownName) else { return 0 }
    try checkOwner(of: connection)
    let rows = try connection.prepare("SELECT type FROM _ingest_schema WHERE \"table\" = ?1 AND \"column\" = ''")
    try rows.bind(ownName, at: 0)
    guard try rows.step(), let version = Int(rows.text(0) ?? "") else {
      throw StoreError(.unusable, "'\(connection.path)' has a table _ingest_schema without a version of ingest")
    }
    guard version <= versions.count else {
      throw StoreError(
        .refused,
        "'\(connection.path)' was written by a newer ingest (bookkeeping \(version), this one knows \(versions.count)); "
          + "use the newer one")
    }
    return version
  }

  /// A table of that name that something else has made is left alone.
  private static func checkOwner(of connection: Connection) throws(StoreError) {
    let columns = try connection.prepare(
      "SELECT count(*) FROM pragma_table_info(?1, 'main') WHERE name IN ('table', 'column', 'type')")
    try columns.bind(ownName, at: 0)
    if try columns.step(), columns.integer(0) == 3 { return }
    throw StoreError(
      .unusable,
      "'\(connection.path)' has a table _ingest_schema that ingest did not make: rename it, or use another database")
  }

  /// Brings the tables from a version to the newest.
  static func upgrade(
    _ connection: Connection, from version: Int, versions: [[String]] = versions
  ) throws(StoreError) {
    guard version < versions.count else { return }
    for sql in versions[version...].joined() { try connection.run(sql) }
    try note(String(versions.count), table: ownName, column: "", on: connection)
  }

  /// Notes a column's type of the mapping.
  static func note(
    _ type: String, table: String, column: String, on connection: Connection
  ) throws(StoreError) {
    let statement = try connection.prepare("INSERT OR REPLACE INTO _ingest_schema VALUES (?1, ?2, ?3)")
    try statement.bind(table, at: 0)
    try statement.bind(column, at: 1)
    try statement.bind(type, at: 2)
    try statement.run()
  }

  /// The types that were noted.
  static func noted(on connection: Connection) throws(StoreError) -> [SchemaPlanner.NotedColumn: String] {
    let rows = try connection.prepare("SELECT \"table\", \"column\", type FROM _ingest_schema")
    var noted: [SchemaPlanner.NotedColumn: String] = [:]
    while try rows.step() {
      let name = SchemaPlanner.NotedColumn(
        table: FoldedName(rows.text(0) ?? ""), column: FoldedName(rows.text(1) ?? ""))
      noted[name] = rows.text(2)
    }
    return noted
  }
}
