/// A value whose field says `on_invalid: fail`: the body fails, and with it the run.
package struct MappingFailure: Error, Sendable {
  package var record: String
  package var field: String
  /// JSON pointer of the record.
  package var pointer: String
  package var reason: String
  /// The key of the mapping that says so.
  package var rule = "on_invalid"
}
