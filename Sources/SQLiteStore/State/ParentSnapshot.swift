import Store

/// Parent rows of a `for_each`, set aside in a temporary table: walks change the database while they go on.
final class ParentSnapshot: ParentRows {
  let nullCount: Int
  private let connection: Connection
  private let table: String
  private let width: Int
  private var last: Int64 = 0

  /// Temporary tables are private to the connection, so a number is name enough.
  init(_ connection: Connection, _ query: ParentQuery, number: Int) throws(StoreError) {
    self.connection = connection
    width = query.columns.count
    table = "temp.\(Identifier.quoted("_ingest_parents_\(number)"))"
    let columns = query.columns.map(Identifier.quoted)
    let isNull = query.required.map { "\(columns[$0]) IS NULL" }.disjunction
    // On lines of its own: it may end with a comment.
    let source = "main.\(Identifier.quoted(query.table)) WHERE \(query.condition.map { "(\n\($0)\n)" } ?? "1")"
    let nulls = try Self.prepared(
      "SELECT count(*) FROM \(source) AND (\(isNull.isEmpty ? "0" : isNull))", query, on: connection)
    nullCount = try Self.step(nulls, query) ? Int(nulls.integer(0)) : 0
    nulls.reset()
    let names = columns.indices.map { "c\($0)" }
    // Rows with the same values would be walked by the same requests.
    let columnsOfTable = ["n INTEGER PRIMARY KEY"] + names + ["UNIQUE (\(names.joined(separator: ", ")))"]
    try connection.run("CREATE TABLE \(table) (\(columnsOfTable.joined(separator: ", ")))")
    // Prepared, so that it is one statement whatever the condition is.
    let filling = try Self.prepared(
      """
      INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) SELECT \(columns.joined(separator: ", "))
      FROM \(source) AND NOT (\(isNull.isEmpty ? "0" : isNull))
      ORDER BY \(query.order.map(Identifier.quoted).joined(separator: ", "))
      """, query, on: connection)
    while try Self.step(filling, query) {}
  }

  deinit {
    // What is left would go with the connection.
    try? connection.run("DROP TABLE IF EXISTS \(table)")
  }

  /// The condition is the user's SQL: what the database has against it is a fault of the mapping.
  private static func prepared(
    _ sql: String, _ query: ParentQuery, on connection: Connection
  ) throws(StoreError) -> Statement {
    do throws(StoreError) {
      return try ConditionGuard.prepare(sql, on: connection)
    } catch {
      let place = query.conditionPlace.map { "\($0): " } ?? ""
      throw StoreError(
        error.code == .failed ? .refused : error.code,
        "\(place)the parents of 'for_each' cannot be read: \(error.message)")
    }
  }

  private static func step(_ statement: Statement, _ query: ParentQuery) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try statement.step()
    } catch {
      guard error.code == .failed, let place = query.conditionPlace else { throw error }
      throw StoreError(.failed, "\(place) fails on a row: \(error.message)")
    }
  }

  func next(_ limit: Int) throws(StoreError) -> [[StoredValue]] {
    let rows = try connection.prepare("SELECT * FROM \(table) WHERE n > ?1 ORDER BY n LIMIT ?2")
    try rows.bind(last, at: 0)
    try rows.bind(Int64(limit), at: 1)
    var found: [[StoredValue]] = []
    while try rows.step() {
      last = rows.integer(0)
      found.append((1...width).map { rows.value($0) })
    }
    return found
  }
}
