/// What an open store consists of; each part has statements on the connection.
struct StoreParts {
  let connection: Connection
  let log: RunLog
  let lock: SourceLock
  let transactions: Transactions
  let states: StateTable
  let pending: PendingState
  let responses: ResponseTable

  init(_ connection: Connection) {
    self.connection = connection
    log = RunLog(connection)
    lock = SourceLock(connection)
    transactions = Transactions(connection)
    states = StateTable(connection)
    pending = PendingState(connection)
    responses = ResponseTable(connection)
  }
}
