import Glibc
import Store

/// The file of what one source has set aside, held against all others from its opening to its closing.
final class PendingFile {
  private let path: String
  private let identity: FileIdentity
  private let connection: Connection

  init(_ path: String, _ identity: FileIdentity) throws(StoreError) {
    (self.path, self.identity) = (path, identity)
    connection = try Connection(path: path, for: .aside)
    try connection.run("BEGIN IMMEDIATE")
  }

  /// Is it still what the name leads to? Else somebody has taken it away, with all that was in it.
  var isNamed: Bool { FileIdentity(of: path) == identity }

  func add(_ changes: [StateChange]) throws(StoreError) {
    try connection.run(
      "CREATE TABLE IF NOT EXISTS pending (id INTEGER PRIMARY KEY, scope TEXT, name TEXT, value TEXT, isPrefix INTEGER)"
    )
    let insertion = try connection.prepare("INSERT INTO pending (scope, name, value, isPrefix) VALUES (?1, ?2, ?3, ?4)")
    for change in changes {
      let (scope, name, value, isPrefix) = change.parts
      for (place, text) in [scope, name, value].enumerated() { try insertion.bind(text, at: place) }
      try insertion.bind(Int64(isPrefix ? 1 : 0), at: 3)
      try insertion.run()
    }
    try connection.run("COMMIT")
  }

  /// In the order in which they came; none when it was taken away.
  func changes() throws(StoreError) -> [StateChange] {
    guard isNamed else { return [] }
    let tables = try connection.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'pending'")
    // The file was made, and then there was no time left.
    guard try tables.step() else { return [] }
    let rows = try connection.prepare("SELECT scope, name, value, isPrefix FROM pending ORDER BY id")
    var changes: [StateChange] = []
    while try rows.step() {
      let (scope, name) = (rows.text(0) ?? "", rows.text(1) ?? "")
      if let value = rows.text(2) {
        changes.append(.set(scope: scope, name: name, value: value))
      } else {
        changes.append(
          rows.integer(3) == 1 ? .removeAll(scope: scope, prefix: name) : .remove(scope: scope, name: name))
      }
    }
    return changes
  }

  /// What was in it is where it belongs.
  func remove() {
    if isNamed { unsafe unlink(path) }
  }

  /// The name may be another file's by now.
  func close() {
    // Nothing is undone by it that was not to be.
    if connection.isInTransaction { try? connection.run("ROLLBACK") }
  }
}

extension StateChange {
  fileprivate var parts: (scope: String, name: String, value: String?, isPrefix: Bool) {
    switch self {
    case .set(let scope, let name, let value): (scope, name, value, false)
    case .remove(let scope, let name): (scope, name, nil, false)
    case .removeAll(let scope, let prefix): (scope, prefix, nil, true)
    }
  }
}
