import Records
import Store

/// A store in which there is nothing, and that takes everything.
class EmptyStore: Store {
  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {}
  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 { 0 }
  func begin() throws(StoreError) {}
  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {}
  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] { [] }
  func beginWalk(_ walk: WalkScope) throws(StoreError) {}
  func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {}
  func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome { WalkOutcome() }
  func rollback() throws(StoreError) {}
  func record(_ error: ErrorEntry) throws(StoreError) {}
  func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError) {}
  func close() throws(StoreError) {}
}
