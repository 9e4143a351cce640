package import Mapper
package import Records

/// What a run received and what became of it: what the closing report says.
package struct RunSummary: Sendable {
  /// The counts of one record, a choice, or a child without a key of its own (`User.tags`).
  ///
  /// `received` is the sum of the others, always, save `swept`.
  package struct Counts: Sendable, Hashable {
    package var record: String
    package var received = 0
    /// Rows that were not there; of `map`, which knows no stored rows, all that it made.
    package var inserted = 0
    package var updated = 0
    package var unchanged = 0
    package var deleted = 0
    package var skipped = 0
    package var filtered = 0
    package var rejected = 0
    /// Rows that went since a walk has not seen them, or has replaced them: nothing of them was received.
    package var swept = 0

    package init(record: String) { self.record = record }

    package var isBalanced: Bool {
      received == inserted + updated + unchanged + deleted + skipped + filtered + rejected
    }
  }

  /// One rejection as people see it; the whole is in `_ingest_rejects`.
  package struct RejectedRecord: Sendable, Hashable {
    /// URL, file, or file:line.
    package var source: String
    package var pointer: String
    package var record: String
    package var field: String?
    package var reason: String

    package init(_ rejection: Rejection, from body: BodyName) {
      source = body.description
      pointer = rejection.pointer
      record = rejection.record
      field = rejection.field
      reason = rejection.reason
    }
  }

  /// How many rejections are kept to be shown.
  package static let previewLimit = 10

  /// The source's name in the mapping.
  package var source: String
  /// In the mapping's order.
  package var records: [Counts] = []
  /// The first of the rejected records.
  package internal(set) var preview: [RejectedRecord] = []

  /// Values that were invalid and became null, each column once, in the order in which they came.
  package var nulled: [NulledValues] = []

  package init(source: String) { self.source = source }

  mutating func add(_ values: [NulledValues]) {
    for entry in values.sorted(by: { ($0.record, $0.column) < ($1.record, $1.column) }) {
      let known = nulled.firstIndex {
        $0.record.utf8.elementsEqual(entry.record.utf8) && $0.column.utf8.elementsEqual(entry.column.utf8)
      }
      if let known { nulled[known].count += entry.count } else { nulled.append(entry) }
    }
  }

  /// Keeps a rejection for the report while there is room; counting it is the caller's.
  package mutating func show(_ rejection: Rejection, from body: BodyName) {
    if preview.count < Self.previewLimit { preview.append(RejectedRecord(rejection, from: body)) }
  }

  package var received: Int { records.reduce(0) { $0 + $1.received } }
  package var rejected: Int { records.reduce(0) { $0 + $1.rejected } }
}

extension NulledValues {
  /// What the closing report says.
  var text: String {
    "\(record).\(column): \(count == 1 ? "1 value was" : "\(count) values were") invalid and became null, as "
      + "'on_invalid' says"
  }
}
