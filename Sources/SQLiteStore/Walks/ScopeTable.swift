import Store

/// Scopes by number: each that a walk of a record with `sweep` or `write: replace` has had.
final class ScopeTable {
  private let connection: Connection
  private let names: LazyStatement
  private var current: [Int64: Bool] = [:]

  init(_ connection: Connection) {
    self.connection = connection
    names = LazyStatement("SELECT source, name FROM _ingest_scopes WHERE scope = ?1", on: connection)
  }

  /// The scope's number; a new one when it is walked for the first time.
  func number(of scope: String, source: String) throws(StoreError) -> Int64 {
    let search = try connection.prepare("SELECT scope FROM _ingest_scopes WHERE source = ?1 AND name = ?2")
    try search.bind(source, at: 0)
    try search.bind(scope, at: 1)
    if try search.step() { return search.integer(0) }
    let insertion = try connection.prepare("INSERT INTO _ingest_scopes (source, name) VALUES (?1, ?2)")
    try insertion.bind(source, at: 0)
    try insertion.bind(scope, at: 1)
    try insertion.run()
    return connection.lastInsertedRow
  }

  /// Whether what the scope has seen is protected: one that can no longer be walked protects nothing. Nothing is known
  /// of other sources' scopes.
  func protects(_ scope: Int64, source: String, _ walk: WalkScope) throws(StoreError) -> Bool {
    if let known = current[scope] { return known }
    let names = try names.prepared()
    try names.bind(scope, at: 0)
    defer { names.reset() }
    var protects = false
    if try names.step() {
      let isOwn = (names.text(0) ?? "").utf8.elementsEqual(source.utf8)
      protects = !isOwn || walk.isCurrent(names.text(1) ?? "")
    }
    current[scope] = protects
    return protects
  }

  /// The next walk may be of another mapping.
  func forget() { current.removeAll() }
}
