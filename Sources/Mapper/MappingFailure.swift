/// A record that fails its body, and with it the run: by `on_invalid: fail`, `unmapped: fail`, or a limit.
package struct MappingFailure: Error, Sendable {
  package var record: String
  /// The column or member at fault; nil when it is the record as a whole.
  package var field: String?
  /// JSON pointer of the record.
  package var pointer: String
  /// What is wrong, and what says that it ends the run.
  package var reason: String
}
