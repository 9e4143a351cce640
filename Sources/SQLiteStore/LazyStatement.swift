import Store

/// A statement that is prepared when it is first used.
final class LazyStatement {
  private let sql: String
  private let connection: Connection
  private var statement: Statement?

  init(_ sql: String, on connection: Connection) {
    self.sql = sql
    self.connection = connection
  }

  func prepared() throws(StoreError) -> Statement {
    if let statement { return statement }
    let statement = try connection.prepare(sql)
    self.statement = statement
    return statement
  }
}
