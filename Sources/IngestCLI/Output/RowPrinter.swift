import Records
import Store

/// A store that keeps nothing: it prints the rows that it gets, parents before their children.
final class RowPrinter: Store {
  private let output: OutputBuffer
  /// Nil: nothing is printed.
  private let format: (any RowFormat)?
  private let table: String?
  /// What is stored, which a dry run looks at: cursors, parents.
  private let stored: (any ReadableStore)?
  private let keeping: ([StateChange]) throws(StoreError) -> Void
  private var source = ""
  private var schema = StoreSchema(tables: [])
  private var shapes: [TableShape] = []
  /// Of each table: are its rows printed?
  private var isPrinted: [Bool] = []
  private var outcomes: [RecordOutcome] = []

  /// `table`: the only table whose rows are printed.
  /// `stored` is looked into: cursors, parents and tokens of the source. `keeping` keeps what must not be lost although
  /// nothing is stored.
  init(
    output: OutputBuffer, format: (any RowFormat)? = nil, table: String? = nil,
    lookingInto stored: (any ReadableStore)? = nil,
    keeping: @escaping ([StateChange]) throws(StoreError) -> Void = { _ in }
  ) {
    self.stored = stored
    self.keeping = keeping
    self.output = output
    self.format = format
    self.table = table
  }

  func watch(_ isInterrupted: @escaping @Sendable () -> Bool) { stored?.watch(isInterrupted) }

  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {
    self.schema = schema
    shapes = schema.tables.map(\.shape)
    isPrinted = shapes.map { $0.role != .membership && (table == nil || table == $0.name) && format != nil }
    format?.begin(shapes, printed: shapes.indices.filter { isPrinted[$0] }, to: output)
  }

  func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    try stored?.state(of: source, scope: scope, prefix: prefix) ?? []
  }

  func state(named name: String, besides source: String) throws(StoreError) -> [String] {
    try stored?.state(named: name, besides: source) ?? []
  }

  func keepAtOnce(_ changes: [StateChange]) throws(StoreError) { try keeping(changes) }

  func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows {
    guard let stored, try stored.has(table: query.table) else { return NoParents() }
    return try stored.parents(query)
  }

  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 {
    source = run.source
    return 0
  }

  func begin() throws(StoreError) { outcomes = [] }
  func beginWalk(_ walk: WalkScope) throws(StoreError) {}
  func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome { WalkOutcome() }
  func rollback() throws(StoreError) { outcomes = [] }
  func record(_ error: ErrorEntry) throws(StoreError) {}
  func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError) {}

  func close() throws(StoreError) {
    format?.finish(output)
    output.flush()
  }

  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    let parents = format == nil ? nil : ChildParents(of: batch, shapes)
    for (index, rows) in batch.tables.enumerated() {
      let entry = schema.tables[index]
      var count = 0
      // They are not printed: what they would delete is not known here.
      let tombstones = rows.rows.count(where: \.isTombstone)
      for (number, header) in rows.rows.enumerated() where !header.isShield && !header.isTombstone {
        if isPrinted[index], let format, let parents {
          format.write(parents.completed(rows.row(number), of: index), of: index, to: output)
        }
        count += 1
      }
      if let record = entry.record { add(count, deleted: tombstones, to: record) }
    }
    if output.failure != nil { throw StoreError(.failed, "the rows could not be printed") }
  }

  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] {
    defer { outcomes = [] }
    return outcomes
  }

  private func add(_ inserted: Int, deleted: Int, to record: String) {
    guard inserted + deleted > 0 else { return }
    let known = outcomes.firstIndex { $0.record == record }
    if known == nil { outcomes.append(RecordOutcome(record: record)) }
    let index = known ?? outcomes.count - 1
    outcomes[index].inserted += inserted
    outcomes[index].deleted += deleted
  }
}
