import Store

/// The counts of one record in one transaction, of the mapper and of the store.
struct RecordCounts {
  var received: ReceivedCounts
  var outcome: RecordOutcome

  init(record: String) {
    received = ReceivedCounts(record: record)
    outcome = RecordOutcome(record: record)
  }

  /// As `_ingest_counts` has them.
  var inOrder: [Int] {
    [
      received.received - outcome.notReceived, outcome.inserted, outcome.updated, outcome.unchanged, outcome.deleted,
      received.skipped + outcome.skipped, received.filtered, received.rejected + outcome.rejected,
    ]
  }

  /// Each record that was received has become something: no loss is silent.
  var addUp: Bool { inOrder[0] == inOrder.dropFirst().reduce(0, +) }
}

extension ReceivedCounts {
  mutating func add(_ other: ReceivedCounts) {
    received += other.received
    skipped += other.skipped
    filtered += other.filtered
    rejected += other.rejected
  }
}

extension RecordOutcome {
  mutating func add(_ other: RecordOutcome) {
    inserted += other.inserted
    updated += other.updated
    unchanged += other.unchanged
    deleted += other.deleted
    skipped += other.skipped
    rejected += other.rejected
    notReceived += other.notReceived
  }

  /// Whether anything was counted.
  var isSomething: Bool { self != RecordOutcome(record: record) }
}
