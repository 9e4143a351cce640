import Pipeline
import Records

/// A record of the data that could not be taken: the others of its body were.
public struct RejectedRecord: Sendable, Hashable, CustomStringConvertible {
  /// Where its body came from: a URL, a file, or a file and its line.
  public let source: String
  /// The JSON pointer of the record in its body, such as `/data/boats/7`.
  public let pointer: String
  /// The record's name in the mapping; `Boat.crew` for a child without a key of its own.
  public let record: String
  /// The column at fault; nil when it is the record as a whole.
  public let column: String?
  /// What is wrong. It holds no value of the record.
  public let reason: String

  /// The place and the reason, in one line.
  public var description: String {
    let name = column.map { "\(record).\($0)" } ?? record
    return [source, pointer, name, reason].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  init(_ rejected: RunSummary.RejectedRecord) {
    source = rejected.source
    pointer = rejected.pointer
    record = rejected.record
    column = rejected.field
    reason = rejected.reason
  }

  init(_ rejection: Rejection, from body: BodyName) { self.init(RunSummary.RejectedRecord(rejection, from: body)) }
}
