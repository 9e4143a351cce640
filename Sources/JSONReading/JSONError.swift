/// Why a body cannot be read.
package struct JSONError: Error, Sendable, Hashable {
  package enum Code: String, Sendable {
    case syntax
    case invalidText = "invalid-text"
    case limitDepth = "limit-depth"
    case limitRecord = "limit-record"
    /// A member that decides where records are stands twice in its object.
    case duplicateMember = "duplicate-member"
    /// The bytes could not be read.
    case io
    /// A signal asked to stop.
    case interrupted
  }

  package var code: Code
  /// For people: what is wrong. No value of the body occurs in it, names of members may.
  package var message: String
  /// Byte offset in the body as UTF-8, from 0.
  package var offset: Int
  /// Line in the body, from 1.
  package var line: Int

  static func interrupted(offset: Int, line: Int) -> JSONError {
    JSONError(.interrupted, "the reading was asked to stop", offset: offset, line: line)
  }

  package init(_ code: Code, _ message: String, offset: Int, line: Int) {
    self.code = code
    self.message = message
    self.offset = offset
    self.line = line
  }
}
