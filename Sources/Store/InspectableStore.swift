package import Records

/// A store that answers questions about what is in it, and how that came there. None of them changes anything.
package protocol InspectableStore: ReadableStore {
  /// Runs of the source, the last one first, `limit` at most.
  func latestRuns(of source: String, limit: Int) throws(StoreError) -> [StoredRun]

  func runCount(of source: String) throws(StoreError) -> Int

  func run(_ id: Int64) throws(StoreError) -> StoredRun?

  /// All that the source remembers, whatever the scope.
  func states(of source: String) throws(StoreError) -> [ScopedState]

  /// The process that holds the source.
  func holder(of source: String) throws(StoreError) -> SourceHolder?

  /// The kept rejects of the source's runs, those that occur most first.
  func rejects(of source: String) throws(StoreError) -> [RejectGroup]

  /// Rows of the table whose reference leads nowhere; nil when the table or the column is not there.
  func dangling(_ reference: SoftReference, of shape: TableShape) throws(StoreError) -> DanglingRows?

  /// The rows of a table whose columns hold one of the values given for each of them, two at most: those that are
  /// greatest in a column, if one is given.
  func rows(of table: String, where keys: [ColumnValues], latestBy column: String?) throws(StoreError) -> StoredRows

  /// Files that `load` has stored for the source, in the order in which that was done.
  func files(of source: String) throws(StoreError) -> [LoadedFile]
}

/// A run as `_ingest_runs` and `_ingest_counts` have it.
package struct StoredRun: Sendable {
  package var id: Int64
  package var command: String
  package var mapping: String
  /// UTC, as text that sorts.
  package var startedAt: String
  package var finishedAt: String?
  /// `running` also of a run that was killed.
  package var status: String
  package var message: String?
  package var counts: [StoredCounts] = []

  package init(id: Int64, command: String, mapping: String, startedAt: String, status: String) {
    self.id = id
    self.command = command
    self.mapping = mapping
    self.startedAt = startedAt
    self.status = status
  }
}

/// What became of the records of one name in one run.
package struct StoredCounts: Sendable {
  package var record: String
  /// By name, in the order of the report: received, inserted and so on.
  package var numbers: [(name: String, count: Int64)]

  package init(record: String, numbers: [(name: String, count: Int64)]) {
    self.record = record
    self.numbers = numbers
  }
}

package struct ScopedState: Sendable {
  package var scope: String
  package var entry: StateEntry

  package init(scope: String, entry: StateEntry) {
    self.scope = scope
    self.entry = entry
  }
}

/// Who holds a source.
package struct SourceHolder: Sendable {
  package enum Life: String, Sendable {
    case alive
    /// It holds nothing any more.
    case gone
    /// It is of another machine or container.
    case unknown
  }

  package var process: Int32
  package var host: String
  /// UTC.
  package var since: String
  package var life: Life

  package init(process: Int32, host: String, since: String, life: Life) {
    self.process = process
    self.host = host
    self.since = since
    self.life = life
  }
}

/// Rejected records that are alike.
package struct RejectGroup: Sendable {
  package var record: String
  package var field: String?
  package var reason: String
  package var count: Int
  package var latestRun: Int64

  package init(record: String, field: String?, reason: String, count: Int, latestRun: Int64) {
    self.record = record
    self.field = field
    self.reason = reason
    self.count = count
    self.latestRun = latestRun
  }
}

/// Rows that refer to none.
package struct DanglingRows: Sendable {
  package var rows: Int
  package var values: Int
  /// The first of the values.
  package var examples: [StoredValue]

  package init(rows: Int, values: Int, examples: [StoredValue]) {
    self.rows = rows
    self.values = values
    self.examples = examples
  }
}

/// Values of which a column may hold one.
package struct ColumnValues: Sendable {
  package var column: String
  package var values: [StoredValue]

  package init(column: String, values: [StoredValue]) {
    self.column = column
    self.values = values
  }
}

/// A file whose body a run has stored (`_ingest_files`).
package struct LoadedFile: Sendable, Hashable {
  package var run: Int64 = 0
  /// As the command named it; `-` for standard input.
  package var name: String
  /// From the root of the file system; nil for standard input.
  package var path: String?
  package var endpoint: String
  /// Where it was routed by a path.
  package var method: String?
  package var url: String?
  package var status: Int
  /// JSON, as `ArchivedResponse` has it.
  package var variables: String
  /// RFC 3339, UTC.
  package var readAt: String
  /// How the file was when it was read: bytes, and nanoseconds since 1970 of its last change.
  package var size: Int64?
  package var modified: Int64?

  package init(name: String, endpoint: String, status: Int, variables: String, readAt: String) {
    self.name = name
    self.endpoint = endpoint
    self.status = status
    self.variables = variables
    self.readAt = readAt
  }
}
