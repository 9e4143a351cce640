/// What the mapper counted of one record.
package struct RecordCounts: Sendable, Hashable {
  package var received = 0
  package var filtered = 0
  package var skipped = 0
  package var rejected = 0

  package init() {}
}
