import Records
import Store

/// A store that keeps nothing but the first rows of each table, to be shown.
final class TrialStore: Store {
  private let limit: Int
  private var schema = StoreSchema(tables: [])
  private(set) var rows: [TrialReport.Rows] = []
  private var outcomes: [RecordOutcome] = []

  /// `limit`: rows of each table.
  init(_ schema: StoreSchema, limit: Int) {
    self.limit = limit
    self.schema = schema
    rows = schema.tables.map { TrialReport.Rows(table: $0.shape.name, columns: $0.shape.columns.map(\.name)) }
  }

  func prepare(_ schema: StoreSchema, allowingLoss: Bool) throws(StoreError) {}
  func beginRun(_ run: RunEntry) throws(StoreError) -> Int64 { 0 }
  func begin() throws(StoreError) { outcomes = [] }
  func beginWalk(_ walk: WalkScope) throws(StoreError) {}
  func endWalk(_ ending: WalkEnding, keeping: [StateChange]) throws(StoreError) -> WalkOutcome { WalkOutcome() }
  func rollback() throws(StoreError) { outcomes = [] }
  func record(_ error: ErrorEntry) throws(StoreError) {}
  func endRun(status: String, message: String?, keeping: [StateChange]) throws(StoreError) {}
  func close() throws(StoreError) {}
  /// Who makes the trial keeps tokens before they come here.
  func keepAtOnce(_ changes: [StateChange]) throws(StoreError) {}

  func write(_ batch: RecordBatch, endsBody: Bool) throws(StoreError) {
    for (index, table) in batch.tables.enumerated() where schema.tables[index].shape.role != .membership {
      for (number, header) in table.rows.enumerated() where !header.isShield {
        count(header.isTombstone, schema.tables[index].record)
        if header.isTombstone { continue }
        rows[index].count += 1
        if rows[index].rows.count < limit { rows[index].rows.append(table.row(number).map(\.stored)) }
      }
    }
  }

  func commit(_ received: [ReceivedCounts]) throws(StoreError) -> [RecordOutcome] { outcomes }

  private func count(_ isDeleted: Bool, _ record: String?) {
    guard let record else { return }
    var index = outcomes.firstIndex { $0.record.utf8.elementsEqual(record.utf8) }
    if index == nil {
      outcomes.append(RecordOutcome(record: record))
      index = outcomes.count - 1
    }
    guard let index else { return }
    if isDeleted { outcomes[index].deleted += 1 } else { outcomes[index].inserted += 1 }
  }
}

extension Cell {
  /// As a store would hold it.
  fileprivate var stored: StoredValue {
    switch kind {
    case .missing, .null: .null
    case .integer: .integer(integerValue)
    case .real: .real(realValue)
    case .text: .text(String(decoding: rawBytes, as: UTF8.self))
    case .bytes: .bytes(Array(rawBytes))
    }
  }
}
