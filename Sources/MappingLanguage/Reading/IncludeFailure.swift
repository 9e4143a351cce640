/// Why a file that `include` names could not be read.
package struct IncludeFailure: Error, Sendable {
  /// "no such file", for people.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
