/// A record of the data that could not be taken, kept whole.
package struct Rejection: Sendable {
  /// The record's name in the mapping; `User.tags` for a child without one.
  package var record: String
  /// JSON pointer of the record in its body.
  package var pointer: String
  /// The column at fault; nil when it is the record as a whole.
  package var field: String?
  /// What is wrong, for people. It holds no value of the record.
  package var reason: String
  /// The record's JSON text as received.
  package var value: [UInt8]
  /// JSON object of the `$…` values that the record's mapping reads, or nil when it reads none.
  package var context: String?
  /// Secrets in the value or the context were replaced.
  package var isRedacted = false
  /// The body, counted within the batch.
  package var body: UInt32
  /// The endpoint's name.
  package var endpoint: String

  package init(
    record: String, pointer: String, field: String?, reason: String, value: [UInt8], context: String?, body: UInt32,
    endpoint: String
  ) {
    self.record = record
    self.pointer = pointer
    self.field = field
    self.reason = reason
    self.value = value
    self.context = context
    self.body = body
    self.endpoint = endpoint
  }
}
