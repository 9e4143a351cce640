import Glibc
import Store

/// State that must be on the disk while a transaction is open that may yet be undone.
///
/// It is set aside in a small database beside the file, one for each source, which goes when its values are where they
/// belong. A database in memory keeps it in memory.
final class PendingState {
  private let database: String
  private var source = ""
  private var inMemory: [StateChange] = []

  init(_ connection: Connection) { database = connection.path }

  func begin(_ source: String) { self.source = source }

  private var isVolatile: Bool { database.utf8.elementsEqual(":memory:".utf8) }

  /// The name has a sum of the source's, which may hold anything.
  private var path: String {
    let sum = source.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return "\(database)-state-\(String(sum, radix: 16))"
  }

  var isThere: Bool { isVolatile ? !inMemory.isEmpty : unsafe access(path, F_OK) == 0 }

  func add(_ changes: [StateChange]) throws(StoreError) {
    if isVolatile { return inMemory.append(contentsOf: changes) }
    try makeFile()
    let connection = try Connection(path: path)
    try connection.run("PRAGMA synchronous = EXTRA")
    try connection.run(
      "CREATE TABLE IF NOT EXISTS pending (id INTEGER PRIMARY KEY, scope TEXT, name TEXT, value TEXT, isPrefix INTEGER)"
    )
    try connection.run("BEGIN IMMEDIATE")
    let insertion = try connection.prepare("INSERT INTO pending (scope, name, value, isPrefix) VALUES (?1, ?2, ?3, ?4)")
    for change in changes {
      let (scope, name, value, isPrefix) = change.parts
      for (place, text) in [scope, name, value].enumerated() { try insertion.bind(text, at: place) }
      try insertion.bind(Int64(isPrefix ? 1 : 0), at: 3)
      try insertion.run()
    }
    try connection.run("COMMIT")
  }

  /// In the order in which they came.
  func changes() throws(StoreError) -> [StateChange] {
    if isVolatile { return inMemory }
    let connection = try Connection(path: path)
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

  func remove() {
    inMemory = []
    if isVolatile { return }
    for ending in ["", "-wal", "-shm"] { unsafe unlink(path + ending) }
  }

  /// For the user alone: what is set aside may be a secret.
  private func makeFile() throws(StoreError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(.unusable, "'\(path)' cannot be made: \(unsafe String(cString: strerror(errno)))")
    }
    close(file)
    // A file whose name is not on the disk is not there after the power went.
    let folder = unsafe open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(path[...slash])
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
