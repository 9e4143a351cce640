package import Records
package import Store

/// An SQLite database that a mapping fills.
package final class SQLiteStore: Store {
  /// Nil when the store is closed.
  private var parts: StoreParts?
  /// Of the run; 0 before it.
  private(set) var runID: Int64 = 0
  var snapshots = 0
  /// Of a run that is one transaction.
  private var errorsOfRun: [ErrorEntry] = []
  /// Nil before `prepare`.
  private var sink: RowSink?
  /// Nil between walks, and while one can remove nothing.
  var walk: OpenWalk?
  /// Of the run.
  var source = ""
  /// So many rows, when all of them are new, are inserted by one statement a table; to be set before `prepare`.
  package var fewestNewRows = 256

  /// Opens the file, or makes a new one. Nothing is stored before `prepare`.
  package convenience init(path: String) throws(StoreError) {
    self.init(try Connection(path: path))
  }

  /// Opens a file that is there, to look at it.
  package convenience init(reading path: String) throws(StoreError) {
    self.init(try Connection(path: path, for: .reading))
  }

  /// Takes over an open database.
  package init(_ connection: Connection) {
    parts = StoreParts(connection)
  }

  package func watch(_ isInterrupted: @escaping @Sendable () -> Bool) { opened.isInterrupted = isInterrupted }

  package func hold(_ source: String, waiting: (() throws(StoreError) -> Void)?) throws(StoreError) {
    self.source = source
    try openedParts.lock.take(source, waiting: waiting)
  }

  package func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {
    let connection = opened
    let change = SchemaChange(connection: connection, wanted: schema.tables.map(\.shape))
    try connection.interruptibly { () throws(StoreError) in
      try change.apply(allowingLoss: allowingLoss) { made throws(StoreError) in
        try forget(walksThatFilled: made, of: schema)
      }
    }
    sink = try RowSink(connection, schema, fewestNewRows: fewestNewRows)
  }

  /// A table that was dropped and is made anew holds nothing of what walks remember having stored.
  private func forget(walksThatFilled made: [String], of schema: StoreSchema) throws(StoreError) {
    for endpoint in Set(schema.tables.filter({ made.contains($0.shape.name) }).flatMap(\.endpoints)) {
      try states.forget(endpoint: endpoint, source: source)
    }
  }

  /// What `prepare` would do. It changes nothing.
  package func plan(_ schema: StoreSchema) throws(StoreError) -> SchemaPlan {
    try SchemaChange(connection: opened, wanted: schema.tables.map(\.shape)).plan()
  }

  package func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 {
    source = run.source
    pending.begin(source)
    runID = try inTransaction { (log) throws(StoreError) in try log.begin(run) }
    try applyPending()
    if run.isWhole { try transactions.beginWhole() }
    return runID
  }

  package func begin() throws(StoreError) {
    // An atomic walk has its transaction already.
    if walk?.isAtomic ?? false {
      precondition(transactions.isOpen, "a walk that was undone ends before another body comes")
    } else {
      try transactions.begin()
    }
    prepared.begin()
  }

  package func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    precondition(transactions.isOpen, "rows are written between begin and commit")
    // After some failures SQLite has undone everything itself: what came now would be kept at once, and alone.
    guard opened.isInTransaction else {
      throw StoreError(.failed, "'\(opened.path)': the transaction was undone, for what failed before")
    }
    try prepared.write(batch, endsBody: endsBody)
    for rejection in batch.rejections {
      try openedLog.add(rejection, source: batch.bodies[Int(rejection.body)].description)
    }
  }

  package func keep(_ file: LoadedFile) throws(StoreError) {
    precondition(transactions.isOpen, "a file is noted with its rows")
    try openedLog.add(file)
  }

  package func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] {
    do throws(StoreError) {
      let counts = try prepared.settle(received)
      for entry in counts {
        guard entry.addUp else {
          throw StoreError(.failed, "counts do not add up for record '\(entry.received.record)': nothing was kept")
        }
        try openedLog.add(entry, of: entry.received.record)
      }
      if !(walk?.isAtomic ?? false) { try transactions.commit() }
      prepared.sightings?.settle()
      return counts.map(\.outcome)
    } catch {
      undo()
      throw error
    }
  }

  package func rollback() throws(StoreError) {
    sink?.forget()
    try ending { () throws(StoreError) in try transactions.rollback() }
  }

  /// What undoes or ends something waits for others although the run was asked to stop.
  private func ending(_ body: () throws(StoreError) -> Void) throws(StoreError) { try opened.ending(body) }

  package func record(_ error: ErrorEntry) throws(StoreError) {
    if walk?.isAtomic ?? false, transactions.isOpen { return walk?.errors.append(error) ?? () }
    // They are kept also when the run is undone.
    if transactions.isWhole { return errorsOfRun.append(error) }
    try ending { () throws(StoreError) in
      try inTransaction { (log) throws(StoreError) in try log.add(error) }
    }
  }

  package func endRun(status: String, message: String?, keeping changes: [StateChange]) throws(StoreError) {
    try ending { () throws(StoreError) in try noteEnd(status, message, changes) }
  }

  private func noteEnd(_ status: String, _ message: String?, _ changes: [StateChange]) throws(StoreError) {
    responses.endReading()
    let isKept = status == "done" || status == "rejects"
    if transactions.isWhole, !isKept { sink?.forget() }
    defer { errorsOfRun = [] }
    do throws(StoreError) {
      if !isKept { try transactions.endWhole(keeping: false) }
      // A run that is one transaction ends within it: cut between its rows and its end, it would be walked again.
      try keepEnd(status, message, changes)
      try transactions.endWhole(keeping: isKept)
    } catch {
      sink?.forget()
      // What went wrong first is the news, also when the disk that is full has no room for it.
      try? transactions.endWhole(keeping: false)
      try? keepEnd("failed", error.message, changes)
      throw error
    }
    openedLog.leave()
    try applyPending()
  }

  private func keepEnd(_ status: String, _ message: String?, _ changes: [StateChange]) throws(StoreError) {
    try inTransaction { (log) throws(StoreError) in
      for error in errorsOfRun { try log.add(error) }
      try states.apply(changes, source: source, run: runID)
      try log.end(status: status, message: message)
    }
  }

  /// Undoes what is not committed, and closes the file. Closing again does nothing.
  package func close() throws(StoreError) {
    guard let parts else { return }
    try rollback()
    try transactions.endWhole(keeping: false)
    do throws(StoreError) {
      try ending { () throws(StoreError) in try parts.lock.release() }
    } catch {
      // Whoever is asked to stop waits for nobody, and a process that is gone holds nothing.
      guard error.code == .busy, parts.connection.isInterrupted?() ?? false else { throw error }
    }
    // The file closes with the last statement on it: whoever still has the store keeps none.
    sink = nil
    walk = nil
    self.parts = nil
  }

  private var openedParts: StoreParts {
    guard let parts else { preconditionFailure("the store is closed") }
    return parts
  }

  var opened: Connection { openedParts.connection }
  var openedLog: RunLog { openedParts.log }
  var transactions: Transactions { openedParts.transactions }
  var states: StateTable { openedParts.states }
  var pending: PendingState { openedParts.pending }
  var responses: ResponseTable { openedParts.responses }

  var prepared: RowSink {
    guard let sink else { preconditionFailure("a store is prepared before rows are written") }
    return sink
  }

  func inTransaction<Result>(
    _ body: (RunLog) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    precondition(!transactions.isOpen, "runs and errors are kept outside of the transactions of rows")
    try transactions.begin()
    do throws(StoreError) {
      let result = try body(openedLog)
      try transactions.commit()
      return result
    } catch {
      undo()
      throw error
    }
  }

  /// After a failure: that one is the news, even if undoing fails too.
  func undo() { try? rollback() }
}
