/// A rejected record as a store has kept it (`_ingest_rejects`).
package struct KeptReject: Sendable {
  /// Later ones are greater.
  package var id: Int64
  package var endpoint: String
  /// URL, file, or file:line.
  package var source: String
  package var record: String
  /// JSON pointer of the record in its body.
  package var pointer: String
  package var field: String?
  package var reason: String
  /// JSON.
  package var value: [UInt8]
  /// JSON object of the `$…` values that the record's mapping read.
  package var context: String?
  /// Secrets in the value or the context were replaced. Nil in rejects of versions that did not note it.
  package var isRedacted: Bool?

  package init(
    id: Int64, endpoint: String, source: String, record: String, pointer: String, field: String?, reason: String,
    value: [UInt8], context: String?
  ) {
    self.id = id
    self.endpoint = endpoint
    self.source = source
    self.record = record
    self.pointer = pointer
    self.field = field
    self.reason = reason
    self.value = value
    self.context = context
  }
}
