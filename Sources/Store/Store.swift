package import Records

/// Where rows go: the one seam between what a plan makes and a database.
///
/// A store belongs to one thread. Everything between `begin` and `commit` takes effect together or not at all.
package protocol Store: AnyObject {
  /// Compares the database with what the mapping wants and brings it there, in one transaction. A step that would lose
  /// data is refused with `StoreError.Code.refused`, unless `allowingLoss`.
  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError)

  /// What to ask while long work goes on in the database: conditions of the mapping, changes of the schema, sweeps. When
  /// it is true, that work ends with `StoreError.Code.interrupted`, and its transaction is undone.
  func watch(_ isInterrupted: @escaping @Sendable () -> Bool)

  /// Takes the source for this process until `close`, so that no other run of it changes the same rows. Throws `busy`,
  /// with words on who holds it; or asks again after each call of `waiting`, which sleeps. Called before `prepare`, and
  /// again after it, since a new database has nowhere to note it.
  func hold(_ source: String, waiting: (() throws(StoreError) -> Void)?) throws(StoreError)

  /// Changes what the source remembers: in the transaction at hand, or in one of its own.
  func keep(_ changes: [StateChange]) throws(StoreError)

  /// Changes what the source remembers, whatever becomes of the transaction at hand, and though another process may be
  /// within one: it is on the disk when this returns.
  func keepAtOnce(_ changes: [StateChange]) throws(StoreError)

  /// What the source remembers in the scope, under names that begin so, in their order.
  func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry]

  /// What each other source of the store remembers in the empty scope, under that name.
  func state(named name: String, besides source: String) throws(StoreError) -> [String]

  /// The rows for which an endpoint walks. A condition that the store cannot read is `refused`.
  func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows

  /// Opens a run in `_ingest_runs` and gives its number: greater than every earlier one.
  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64

  /// Starts a transaction: of one body, or of several small ones.
  func begin() throws(StoreError)

  /// Applies the rows, lists and rejections of a batch, in order. A body may span batches; `endsBody` tells whether
  /// the batch's last body is whole with it; if not, it goes on in the next batch as that one's first body. After a
  /// failure, `rollback` is all that is left to do.
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError)

  /// Does the store keep answers?
  var hasArchive: Bool { get }

  /// Keeps an answer, between `begin` and `commit` of its rows.
  func archive(_ response: ArchivedResponse, _ body: ArchivedBody) throws(StoreError)

  /// Notes which file the body at hand is of, between `begin` and `commit` of its rows.
  func keep(_ file: LoadedFile) throws(StoreError)

  /// Adds the counts to `_ingest_counts` together with what became of the rows, commits, and says what became of them:
  /// of each record that was received or whose rows came. Counts that do not add up, and whatever else fails, undo the
  /// transaction.
  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome]

  /// Starts a walk: rows of the scope's records are noted as seen from now on. Of one that is atomic, everything takes
  /// effect in one transaction at its end, `begin` and `commit` mark bodies, and `rollback` undoes the whole walk.
  func beginWalk(_ walk: WalkScope) throws(StoreError)

  /// Ends the walk in one transaction: rows of its scope that it has not seen go, where nothing forbids it. After an
  /// error the sweep is undone, and of an atomic walk everything.
  ///
  /// `keeping` is remembered in the same transaction, but not when a walk is undone.
  func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome

  /// Undoes everything since `begin`, or since the start of an atomic walk; does nothing outside of a transaction.
  func rollback() throws(StoreError)

  /// Keeps an error of a response or body, outside of any transaction; during an atomic walk, when that has ended.
  func record(_ error: ErrorEntry) throws(StoreError)

  /// Closes the run: `status` is `done`, `rejects`, `failed` or `interrupted`. `keeping` is remembered in the same
  /// transaction; it is the run's own one, if the run is one transaction and succeeded.
  func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError)

  /// Lets go of the database.
  func close() throws(StoreError)
}

extension Store {
  /// Nothing takes long in a store without a database.
  package func watch(_ isInterrupted: @escaping @Sendable () -> Bool) {}

  package func endRun(status: String, message: String?) throws(StoreError) {
    try endRun(status: status, message: message, keeping: [])
  }
}

/// All tables that a mapping fills, in the order of the batches' tables.
package struct StoreSchema: Sendable {
  package struct Table: Sendable {
    package var shape: TableShape
    /// The record whose rows are counted there; nil for links.
    package var record: String?
    /// The endpoints whose answers fill it: what their walks remember is void when the table is made anew.
    package var endpoints: [String]

    package init(shape: TableShape, record: String?, endpoints: [String] = []) {
      self.shape = shape
      self.record = record
      self.endpoints = endpoints
    }
  }

  package var tables: [Table]

  package init(tables: [Table]) { self.tables = tables }
}

package struct RunEntry: Sendable {
  package var source: String
  package var command: String
  package var mapping: String
  /// `commit: run`, and a replay: all that the run stores takes effect at its end, or, when it fails, nothing but its own row and
  /// those of errors.
  package var isWhole = false
  /// Takes secrets out of a rejected record before it is kept; nil when there are none.
  package var redacted: (@Sendable (Rejection) -> Rejection)?

  package init(source: String, command: String, mapping: String) {
    self.source = source
    self.command = command
    self.mapping = mapping
  }
}

/// What a mapper counted of one record in one transaction.
package struct ReceivedCounts: Sendable, Hashable {
  package var record: String
  package var received = 0
  package var skipped = 0
  package var filtered = 0
  package var rejected = 0

  package init(record: String) { self.record = record }
}

/// What became of the rows of one record in one transaction.
package struct RecordOutcome: Sendable, Hashable {
  package var record: String
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0
  package var deleted = 0
  /// Rows that the store skipped or rejected (a unique index).
  package var skipped = 0
  package var rejected = 0
  /// Rows that the mapper counted as received, though they are nested in a row that the store rejected: they count as
  /// not received.
  package var notReceived = 0

  package init(record: String) { self.record = record }
}

/// A row of `_ingest_errors`; everything in it is redacted already.
package struct ErrorEntry: Sendable {
  package var endpoint: String?
  package var method: String?
  package var url: String?
  package var status: Int?
  package var code: String?
  package var message: String?
  package var excerpt: String?
  package var action: String?
  /// The try, from 1.
  package var attempt: Int

  package init(
    endpoint: String?, method: String? = nil, url: String? = nil, status: Int? = nil, code: String? = nil,
    message: String? = nil, excerpt: String? = nil, action: String? = nil, attempt: Int = 1
  ) {
    self.endpoint = endpoint
    self.method = method
    self.url = url
    self.status = status
    self.code = code
    self.message = message
    self.excerpt = excerpt
    self.action = action
    self.attempt = attempt
  }
}
