import Pipeline

/// What a run received, and what became of it.
///
/// A run that ends without an error may still have rejected records: they are counted here, and kept in the table
/// `_ingest_rejects` of the store. What else keeps a run from being complete, such as a page limit, is among the
/// ``warnings``.
public struct RunReport: Sendable, Hashable, CustomStringConvertible {
  /// The counts of one record; ``received`` is always the sum of the others, save ``swept``.
  public struct Counts: Sendable, Hashable {
    /// The record's name in the mapping; `Boat.crew` for a child without a key of its own.
    public let record: String
    /// All that came.
    public let received: Int
    /// Rows that were not there before; when a body is only mapped, all rows.
    public let inserted: Int
    /// Rows that were there, and had to change.
    public let updated: Int
    /// Rows that were there, and had not to change.
    public let unchanged: Int
    /// Records that stand for a row that is to go (`delete_when`).
    public let deleted: Int
    /// Records that the mapping skips, or whose row is newer in the store.
    public let skipped: Int
    /// Records that do not meet the mapping's `where`.
    public let filtered: Int
    /// Records that could not be taken.
    public let rejected: Int
    /// Rows that went since a complete walk did not bring them (`sweep`, `replace`).
    public let swept: Int

    init(_ counts: RunSummary.Counts) {
      record = counts.record
      (received, inserted, updated) = (counts.received, counts.inserted, counts.updated)
      (unchanged, deleted, skipped) = (counts.unchanged, counts.deleted, counts.skipped)
      (filtered, rejected, swept) = (counts.filtered, counts.rejected, counts.swept)
    }
  }

  /// The name of the mapping's source.
  public let source: String
  /// The counts of each record, in the order of the mapping.
  public let counts: [Counts]
  /// The first ten of the rejected records.
  public let rejections: [RejectedRecord]
  /// What the run warned of, in order.
  public let warnings: [String]

  /// All records that came.
  public var received: Int { counts.reduce(0) { $0 + $1.received } }

  /// All records that could not be taken.
  public var rejected: Int { counts.reduce(0) { $0 + $1.rejected } }

  /// The counts of a record; nil when the mapping has none of that name.
  public subscript(record: String) -> Counts? { counts.first { $0.record.utf8.elementsEqual(record.utf8) } }

  /// A line for each record that came: `Boat: 3 received, 2 inserted, 1 rejected`.
  public var description: String {
    let lines = counts.filter { $0.received + $0.swept > 0 }.map { entry in
      let numbers = [
        ("inserted", entry.inserted), ("updated", entry.updated), ("unchanged", entry.unchanged),
        ("deleted", entry.deleted), ("skipped", entry.skipped), ("filtered", entry.filtered),
        ("rejected", entry.rejected), ("swept", entry.swept),
      ]
      let words = ["\(entry.received) received"] + numbers.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
      return "\(entry.record): \(words.joined(separator: ", "))"
    }
    return lines.isEmpty ? "\(source): nothing was received" : lines.joined(separator: "\n")
  }

  init(_ summary: RunSummary, warnings: [String]) {
    source = summary.source
    counts = summary.records.map(Counts.init)
    rejections = summary.preview.map { RejectedRecord($0) }
    self.warnings = warnings
  }
}
