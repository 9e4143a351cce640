/// What the mapper counted of one record.
package struct RecordCounts: Sendable, Hashable {
  package var received = 0
  package var filtered = 0
  package var skipped = 0
  package var rejected = 0

  package init() {}
}

/// Values of a column that were invalid and became null, as its `on_invalid` says.
package struct NulledValues: Sendable, Hashable {
  package var record: String
  package var column: String
  package var count: Int

  package init(record: String, column: String, count: Int) {
    self.record = record
    self.column = column
    self.count = count
  }
}
