import CSQLite
package import Records
package import Store

/// Holds SQL that a mapping writes for SQLite against the mapping's own tables, in a database that nobody else sees.
///
/// Tables that the mapping does not have may be the user's, so what names one is not judged.
@safe package final class ConditionCheck {
  package enum Fault: Sendable, Hashable {
    case unknownColumn(String)
    /// What SQLite has against it; values of the text may be in it, as they stand in the mapping.
    case refused(String)
    /// It ends before it is whole.
    case incomplete
    /// `?`, `:name` and the like: nothing is bound to them.
    case parameter
    /// A function or table that could change something, or leads out of the database.
    case forbidden(String)

    /// It does not end where its text ends, or has no place anywhere.
    fileprivate var isOfCondition: Bool {
      switch self {
      case .incomplete, .forbidden, .refused("it closes a bracket that it has not opened"): true
      default: false
      }
    }
  }

  /// A table that SQLite does not make.
  package struct Refusal: Sendable {
    /// The place of its shape.
    package let table: Int
    package let reason: String
  }

  private let connection: Connection
  package let refusals: [Refusal]

  /// Throws only where a database in memory cannot be made.
  package init(_ shapes: [TableShape]) throws(StoreError) {
    let connection = try Connection(path: ":memory:")
    self.connection = connection
    var refusals: [Refusal] = []
    func each(_ step: (TableShape, Int) throws(StoreError) -> Void) {
      for (number, shape) in shapes.enumerated() where !refusals.contains(where: { $0.table == number }) {
        do throws(StoreError) {
          try step(shape, number)
        } catch {
          refusals.append(Refusal(table: number, reason: Self.words(error.message, on: connection)))
        }
      }
    }
    each { shape, number throws(StoreError) in try Self.make(shape, number, on: connection) }
    // What writes rows looks into the tables that they refer to.
    if refusals.isEmpty {
      each { shape, _ throws(StoreError) in try Self.prepareRows(of: shape, on: connection) }
    }
    self.refusals = refusals
  }

  /// The table and its indexes.
  private static func make(_ shape: TableShape, _ number: Int, on connection: Connection) throws(StoreError) {
    try connection.run(shape.createTable)
    guard shape.role != .membership else { return }
    for (place, index) in (shape.indexes + shape.foreignKeyIndexes).enumerated() where index.condition == nil {
      try connection.run(shape.createIndex(index, named: "_ingest_index_\(number)_\(place)"))
    }
    _ = try TableSQL(shape, storedColumns: Set(shape.columns.map { FoldedName($0.name) }))
  }

  /// What reads and writes its rows.
  private static func prepareRows(of shape: TableShape, on connection: Connection) throws(StoreError) {
    guard shape.role != .membership else { return }
    let sql = try TableSQL(shape, storedColumns: Set(shape.columns.map { FoldedName($0.name) }))
    for statement in [sql.insert] + (shape.primaryKey.isEmpty ? [] : [sql.find]) {
      _ = try connection.prepare(statement)
    }
  }

  private static func words(_ message: String, on connection: Connection) -> String {
    let prefix = "'\(connection.path)': "
    return message.utf8.starts(with: prefix.utf8) ? String(message.dropFirst(prefix.count)) : message
  }

  /// A condition on rows of a table, as sweeps and `for_each` have it.
  package func fault(in condition: String, onRowsOf table: String) -> Fault? {
    let start = "SELECT 1 FROM main.\(Identifier.quoted(table)) WHERE (\n"
    return fault(in: start + condition + "\n)", condition, until: start.utf8.count + condition.utf8.count)
  }

  /// The condition of an index.
  package func fault(in index: IndexShape, of shape: TableShape) -> Fault? {
    // What is written behind it in a script must not become a part of it: a comment, a bracket.
    if let condition = index.condition, let fault = fault(in: condition, onRowsOf: shape.name), fault.isOfCondition {
      return fault
    }
    let sql = shape.createIndex(index, named: "_ingest_index")
    return fault(in: sql, index.condition ?? "", until: sql.utf8.count)
  }

  /// `end`: where the condition ends in the statement.
  private func fault(in sql: String, _ condition: String, until end: Int) -> Fault? {
    let tokens = SQLTokens(condition).texts
    if tokens.contains(";") { return .refused("it is more than one condition") }
    var depth = 0
    for token in tokens {
      depth += token == "(" ? 1 : token == ")" ? -1 : 0
      if depth < 0 { return .refused("it closes a bracket that it has not opened") }
    }
    let (fault, refused) = ConditionGuard().watching(connection) { prepare(sql, until: end) }
    if let refused { return .forbidden(refused) }
    return (try? fault.get()) ?? nil
  }

  private func prepare(_ sql: String, until end: Int) -> Fault? {
    var prepared: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(connection.handle, sql, -1, 0, &prepared, nil)
    guard status == SQLITE_OK, let statement = unsafe prepared else { return fault(until: end) }
    defer { unsafe sqlite3_finalize(statement) }
    return unsafe sqlite3_bind_parameter_count(statement) > 0 ? .parameter : nil
  }

  /// Of the statement that was just refused.
  private func fault(until end: Int) -> Fault? {
    let message = unsafe String(cString: sqlite3_errmsg(connection.handle))
    let place = Int(unsafe sqlite3_error_offset(connection.handle))
    if message.hasPrefix("no such table") { return nil }
    if let column = Self.named(in: message, behind: "no such column: ") { return .unknownColumn(column) }
    // What is written around the condition is not the user's: where SQLite stumbles over it, the condition is at fault.
    return message.hasPrefix("incomplete input") || place >= end ? .incomplete : .refused(message)
  }

  /// The name that SQLite cites, without the advice that may follow.
  private static func named(in message: String, behind prefix: String) -> String? {
    guard message.hasPrefix(prefix) else { return nil }
    let rest = message.utf8.dropFirst(prefix.utf8.count)
    let advice = Array(" - should this be".utf8)
    var end = rest.startIndex
    while end < rest.endIndex, !rest[end...].starts(with: advice) { rest.formIndex(after: &end) }
    return String(rest[..<end])
  }
}
