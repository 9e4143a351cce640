import Store

/// Row numbers of one table: a few in memory, the rest in a TEMP table, so that any number fits.
final class RowNumberSet {
  private static let limit = 1 << 16

  private let connection: Connection
  private let table: String
  private let insertion: LazyStatement
  private let search: LazyStatement
  private let deletion: LazyStatement
  private var recent: Set<Int64> = []
  /// Whether the TEMP table has rows.
  private var hasSpilled = false

  /// `name` is the TEMP table's.
  init(_ connection: Connection, name: String) {
    self.connection = connection
    table = "temp.\(Identifier.quoted(name))"
    insertion = LazyStatement("INSERT OR IGNORE INTO \(table) VALUES (?)", on: connection)
    search = LazyStatement("SELECT 1 FROM \(table) WHERE number = ?", on: connection)
    deletion = LazyStatement("DELETE FROM \(table) WHERE number = ?", on: connection)
  }

  var isEmpty: Bool { recent.isEmpty && !hasSpilled }

  func insert(_ number: Int64) throws(StoreError) {
    recent.insert(number)
    if recent.count >= Self.limit { try spill() }
  }

  func contains(_ number: Int64) throws(StoreError) -> Bool {
    if recent.contains(number) { return true }
    guard hasSpilled else { return false }
    let search = try search.prepared()
    try search.bind(number, at: 0)
    defer { search.reset() }
    return try search.step()
  }

  func remove(_ number: Int64) throws(StoreError) {
    recent.remove(number)
    guard hasSpilled else { return }
    let deletion = try deletion.prepared()
    try deletion.bind(number, at: 0)
    try deletion.run()
  }

  /// Calls with each number once, in ascending order where all are in memory. The set must not change meanwhile.
  func forEach(_ body: (Int64) throws(StoreError) -> Void) throws(StoreError) {
    if hasSpilled { try spill() }
    for number in recent.sorted() { try body(number) }
    guard hasSpilled else { return }
    let rows = try connection.prepare("SELECT number FROM \(table)")
    while try rows.step() { try body(rows.integer(0)) }
  }

  func removeAll() throws(StoreError) {
    recent.removeAll(keepingCapacity: true)
    if hasSpilled { try connection.run("DELETE FROM \(table)") }
    hasSpilled = false
  }

  /// Forgets what a rollback has undone in the database.
  func forget() {
    recent.removeAll(keepingCapacity: true)
    hasSpilled = false
  }

  private func spill() throws(StoreError) {
    // A rollback takes the table with it.
    if !hasSpilled { try connection.run("CREATE TABLE IF NOT EXISTS \(table) (number INTEGER PRIMARY KEY)") }
    hasSpilled = true
    let insertion = try insertion.prepared()
    for number in recent.sorted() {
      try insertion.bind(number, at: 0)
      try insertion.run()
    }
    recent.removeAll(keepingCapacity: true)
  }
}
