import MappingLanguage
import Records
import Store

/// A store that remembers the errors that were kept, for tests that expect one.
final class TestStore: Store {
  private let store: any ReadableStore
  private var errors: [ErrorEntry] = []

  init(_ store: any ReadableStore) { self.store = store }

  func watch(_ isInterrupted: @escaping @Sendable () -> Bool) { store.watch(isInterrupted) }
  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {
    try store.prepare(schema, allowingLoss: allowingLoss)
  }
  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 { try store.beginRun(run) }
  func begin() throws(StoreError) { try store.begin() }
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) { try store.write(batch, endsBody: endsBody) }
  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] { try store.commit(received) }
  func beginWalk(_ walk: WalkScope) throws(StoreError) { try store.beginWalk(walk) }
  func endWalk(_ ending: WalkEnding, keeping changes: [StateChange]) throws(StoreError) -> WalkOutcome {
    try store.endWalk(ending, keeping: changes)
  }
  func keepAtOnce(_ changes: [StateChange]) throws(StoreError) { try store.keepAtOnce(changes) }
  func keep(_ changes: [StateChange]) throws(StoreError) { try store.keep(changes) }
  func state(scope: String, prefix: String) throws(StoreError) -> [StateEntry] {
    try store.state(scope: scope, prefix: prefix)
  }
  func parents(_ query: ParentQuery) throws(StoreError) -> any ParentRows { try store.parents(query) }
  func rollback() throws(StoreError) { try store.rollback() }
  func record(_ error: ErrorEntry) throws(StoreError) {
    errors.append(error)
    try store.record(error)
  }
  func endRun(status: String, message: String?, keeping changes: [StateChange]) throws(StoreError) {
    try store.endRun(status: status, message: message, keeping: changes)
  }
  func close() throws(StoreError) { try store.close() }
  func readRows(of table: String) throws(StoreError) -> StoredRows { try store.readRows(of: table) }

  /// What falls short when an error with this message and code was expected. `failure` is what ended the run.
  func missingError(message: String?, code: String?, failure: PipelineError?) -> String? {
    let fits = errors.contains { error in
      Self.fits(message, error.message) && Self.fits(code, error.code)
    }
    if fits { return nil }
    let parts = [message.map { "message '\($0)'" }, code.map { "code '\($0)'" }].compactMap { $0 }
    let wanted = parts.joined(separator: " and ")
    if let last = errors.last {
      return "the error has message '\(last.message ?? "")' and code '\(last.code ?? "")', expected is \(wanted)"
    }
    let expected = parts.isEmpty ? "expected is one" : "expected is one with \(wanted)"
    return "no error came, \(expected)" + (failure.map { "; \($0.message)" } ?? "")
  }

  private static func fits(_ expected: String?, _ came: String?) -> Bool {
    guard let expected else { return true }
    return came?.isSame(as: expected) ?? false
  }
}
