import Store

/// `_ingest_state`: what a source remembers from run to run.
final class StateTable {
  private let connection: Connection
  /// It was there before: it is looked for only until it is found.
  private var wasFound = false
  private let insertion: LazyStatement
  private let removal: LazyStatement
  private let removals: LazyStatement
  private let search: LazyStatement

  init(_ connection: Connection) {
    self.connection = connection
    insertion = LazyStatement(
      "INSERT OR REPLACE INTO _ingest_state (source, scope, name, value, run_id) VALUES (?1, ?2, ?3, ?4, ?5)",
      on: connection)
    removal = LazyStatement(
      "DELETE FROM _ingest_state WHERE source = ?1 AND scope = ?2 AND name = ?3", on: connection)
    removals = LazyStatement(
      "DELETE FROM _ingest_state WHERE source = ?1 AND scope = ?2 AND substr(name, 1, length(?3)) = ?3", on: connection)
    search = LazyStatement(
      """
      SELECT name, value, run_id FROM _ingest_state
      WHERE source = ?1 AND scope = ?2 AND name >= ?3 AND substr(name, 1, length(?3)) = ?3 ORDER BY name
      """, on: connection)
  }

  /// A database without bookkeeping has none.
  func isThere() throws(StoreError) -> Bool {
    if !wasFound { wasFound = try connection.has(table: "_ingest_state") }
    return wasFound
  }

  /// In the transaction at hand.
  func apply(_ changes: [StateChange], source: String, run: Int64) throws(StoreError) {
    for change in changes {
      let statement: Statement
      switch change {
      case .set(let scope, let name, let value):
        statement = try insertion.prepared()
        for (place, text) in [source, scope, name, value].enumerated() { try statement.bind(text, at: place) }
        try statement.bind(run, at: 4)
      case .remove(let scope, let name):
        statement = try removal.prepared()
        for (place, text) in [source, scope, name].enumerated() { try statement.bind(text, at: place) }
      case .removeAll(let scope, let prefix):
        statement = try removals.prepared()
        for (place, text) in [source, scope, prefix].enumerated() { try statement.bind(text, at: place) }
      }
      try statement.run()
    }
  }

  /// Forgets what all walks of an endpoint remember.
  func forget(endpoint: String, source: String) throws(StoreError) {
    let statement = try connection.prepare(
      """
      DELETE FROM _ingest_state
      WHERE source = ?1 AND scope <> '' AND json_extract(scope, '$.endpoint') = ?2
      """)
    try statement.bind(source, at: 0)
    try statement.bind(endpoint, at: 1)
    try statement.run()
  }

  func entries(source: String, scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    let statement = try search.prepared()
    for (place, text) in [source, scope, prefix].enumerated() { try statement.bind(text, at: place) }
    defer { statement.reset() }
    var entries: [StateEntry] = []
    while try statement.step() {
      entries.append(
        StateEntry(name: statement.text(0) ?? "", value: statement.text(1) ?? "", run: statement.integer(2)))
    }
    return entries
  }
}
