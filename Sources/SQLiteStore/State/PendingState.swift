import Glibc
import Store

/// State that must be on the disk while a transaction is open that may yet be undone.
///
/// It is set aside in a small database beside the file, one for each source, which goes when its values are where they
/// belong. A database in memory keeps it in memory.
final class PendingState {
  private let database: String
  private var source = ""
  private(set) var inMemory: [StateChange] = []

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
    // Ends: it begins anew only when somebody has stored what was there, and taken the file away.
    while true {
      if !isThere { try makeFile() }
      guard let file = try open() else { continue }
      defer { file.close() }
      guard file.isNamed else { continue }
      try file.add(changes)
      return
    }
  }

  /// Opens what is set aside: nobody else changes it before it is closed. Nil when there is nothing.
  func open() throws(StoreError) -> PendingFile? {
    guard !isVolatile, let identity = FileIdentity(of: path) else { return nil }
    do throws(StoreError) {
      return try PendingFile(path, identity)
    } catch {
      if FileIdentity(of: path) == identity { throw error }
      return nil
    }
  }

  /// In the order in which they came.
  func changes() throws(StoreError) -> [StateChange] {
    if isVolatile { return inMemory }
    guard let file = try open() else { return [] }
    defer { file.close() }
    return try file.changes()
  }

  func forget() { inMemory = [] }

  /// For the user alone: what is set aside may be a secret.
  private func makeFile() throws(StoreError) {
    let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw StoreError(.unusable, "'\(path)' cannot be made: \(unsafe String(cString: strerror(errno)))")
    }
    close(file)
    // A file whose name is not on the disk is not there after the power went.
    let folder = unsafe Glibc.open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(path[...slash])
  }
}
