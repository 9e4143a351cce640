import Records
import Store

/// Writes batches into a store, in a thread of its own, while the next ones are filled.
///
/// Between the first `hand` and the end of `finish` or `abandon` the store is that thread's alone; a batch is whoever's has
/// it. At most `mostBatches` exist, so memory is bounded whatever a body's size is: who fills them faster than they are
/// written waits. A body that fits into one batch never comes here, so the thread starts when it is first needed.
final class BatchWriter {
  /// `@unchecked Sendable`: whoever holds it is the only one who touches the batch.
  private struct Handed: @unchecked Sendable {
    let batch: RecordBatch
    let endsBody: Bool
  }

  private struct State {
    var waiting: [Handed] = []
    var isWriting = false
    /// In the order in which they came; the one at fault, and those behind it, too.
    var written: [Handed] = []
    /// Of the first batch that could not be written; none is written behind it.
    var failure: StoreError?
    var isEnded = false
  }

  /// `@unchecked Sendable`: the store is one thread's at a time, as the type's comment says.
  private struct Shared: @unchecked Sendable {
    let store: any Store
  }

  private let store: any Store
  private let shapes: [TableShape]
  private let state = Monitor(State())
  private var thread: WorkerThread?
  private var spare: [RecordBatch] = []
  private var batches = 1
  /// Whether the store is in the thread's hands.
  private(set) var isAtWork = false

  /// One that is filled, one that is written, and two between them.
  static let mostBatches = 4

  init(_ store: any Store, shapes: [TableShape]) {
    self.store = store
    self.shapes = shapes
  }

  deinit {
    state.change { $0.isEnded = true }
    thread?.join()
  }

  /// Hands a batch over, and gives an empty one to fill next. Throws what went wrong with an earlier one: `abandon` is
  /// then all that is left to do. `show` is called with each batch that is written, in their order, before it is emptied.
  func hand(
    _ batch: RecordBatch, endsBody: Bool, show: (RecordBatch) -> Void
  ) throws(StoreError) -> RecordBatch {
    let handed = Handed(batch: batch, endsBody: endsBody)
    guard start() else {
      try store.write(batch, endsBody: endsBody)
      show(batch)
      batch.reset()
      return batch
    }
    // The batch stays with the caller when it is too late for it.
    if let failure = state.read(\.failure) { throw failure }
    isAtWork = true
    state.change { $0.waiting.append(handed) }
    if spare.isEmpty, batches < Self.mostBatches {
      batches += 1
      spare.append(RecordBatch(shapes: shapes))
    }
    let mustWait = spare.isEmpty
    try take(show) { mustWait && $0.written.isEmpty }
    return spare.removeLast()
  }

  /// Waits until all is written: the store is the caller's again.
  func finish(show: (RecordBatch) -> Void) throws(StoreError) {
    guard isAtWork else { return }
    try take(show) { $0.isWriting || !$0.waiting.isEmpty }
    isAtWork = false
  }

  /// The same after a failure, whatever it was: what is not written yet stays so. The caller begins with a new batch, since
  /// the one that it filled last may have been handed over.
  func abandon() {
    guard isAtWork else { return }
    _ = state.wait { state -> Bool? in
      state.waiting = []
      if state.isWriting { return nil }
      (state.failure, state.written) = (nil, [])
      return true
    }
    (spare, batches) = ([], 1)
    isAtWork = false
  }

  private func putBack(_ batch: RecordBatch) {
    batch.reset()
    spare.append(batch)
  }

  /// Takes back what was written, as soon as there is nothing to wait for.
  private func take(
    _ show: (RecordBatch) -> Void, while isToWait: (State) -> Bool
  ) throws(StoreError) {
    let (written, failure) = state.wait { state -> ([Handed], StoreError?)? in
      if state.failure == nil, isToWait(state) { return nil }
      // The batch at fault stays until `abandon`.
      if state.failure != nil { return ([], state.failure) }
      defer { state.written = [] }
      return (state.written, nil)
    }
    if let failure { throw failure }
    for handed in written {
      show(handed.batch)
      putBack(handed.batch)
    }
  }

  /// False where the system has no thread left.
  private func start() -> Bool {
    if thread != nil { return true }
    let (state, shared) = (state, Shared(store: store))
    thread = WorkerThread { Self.work(state, shared) }
    return thread != nil
  }

  private static func work(_ state: Monitor<State>, _ shared: Shared) {
    while let handed = state.wait(until: next) {
      var failure: StoreError?
      do throws(StoreError) {
        try shared.store.write(handed.batch, endsBody: handed.endsBody)
      } catch {
        failure = error
      }
      state.change { [failure] state in
        state.isWriting = false
        state.written.append(handed)
        guard let failure else { return }
        state.failure = failure
        state.written += state.waiting
        state.waiting = []
      }
    }
  }

  /// Nil while there is nothing to do; a nil in it ends the thread.
  private static func next(_ state: inout State) -> Handed?? {
    if state.isEnded { return .some(nil) }
    // Behind a failure nothing is written: SQLite may have left the transaction.
    guard state.failure == nil, !state.waiting.isEmpty else { return nil }
    state.isWriting = true
    return state.waiting.removeFirst()
  }
}
