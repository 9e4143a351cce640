import Store

/// Row numbers of one table: a few in memory, the rest in a database of their own, so that any number fits.
///
/// No TEMP table holds them: to make one changes the schema, and then SQLite breaks off statements that are under way,
/// such as the one that finds the numbers.
final class RowNumberSet {
  private static let limit = 1 << 16

  private var recent: Set<Int64> = []
  /// What did not fit in memory; nil while all does.
  private var overflow: Overflow?

  private struct Overflow {
    let connection: Connection
    let insertion: LazyStatement
    let search: LazyStatement
    let deletion: LazyStatement

    init() throws(StoreError) {
      connection = try Connection.temporary()
      // Nobody reads it once it has failed.
      try connection.run("PRAGMA journal_mode = OFF")
      try connection.run("PRAGMA cache_size = -2048")
      try connection.run("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
      insertion = LazyStatement("INSERT OR IGNORE INTO numbers VALUES (?)", on: connection)
      search = LazyStatement("SELECT 1 FROM numbers WHERE number = ?", on: connection)
      deletion = LazyStatement("DELETE FROM numbers WHERE number = ?", on: connection)
    }
  }

  var isEmpty: Bool { recent.isEmpty && overflow == nil }

  func insert(_ number: Int64) throws(StoreError) {
    recent.insert(number)
    if recent.count >= Self.limit { try spill() }
  }

  func contains(_ number: Int64) throws(StoreError) -> Bool {
    if recent.contains(number) { return true }
    guard let search = try overflow?.search.prepared() else { return false }
    try search.bind(number, at: 0)
    defer { search.reset() }
    return try search.step()
  }

  func remove(_ number: Int64) throws(StoreError) {
    recent.remove(number)
    guard let deletion = try overflow?.deletion.prepared() else { return }
    try deletion.bind(number, at: 0)
    try deletion.run()
  }

  /// Calls with each number once, in ascending order. The set must not change meanwhile.
  func forEach(_ body: (Int64) throws(StoreError) -> Void) throws(StoreError) {
    if overflow != nil { try spill() }
    for number in recent.sorted() { try body(number) }
    guard let overflow else { return }
    let rows = try overflow.connection.prepare("SELECT number FROM numbers ORDER BY number")
    while try rows.step() { try body(rows.integer(0)) }
  }

  func removeAll() {
    recent.removeAll(keepingCapacity: true)
    overflow = nil
  }

  private func spill() throws(StoreError) {
    if overflow == nil { overflow = try Overflow() }
    guard let overflow else { return }
    let insertion = try overflow.insertion.prepared()
    try overflow.connection.run("BEGIN")
    for number in recent.sorted() {
      try insertion.bind(number, at: 0)
      try insertion.run()
    }
    try overflow.connection.run("COMMIT")
    recent.removeAll(keepingCapacity: true)
  }
}
