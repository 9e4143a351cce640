import Diagnostics

/// A command line that cannot be obeyed. The exit code is 2.
package struct UsageError: Error, Hashable {
  package var message: String
  /// What to do.
  package var hint: String?
  /// Whose help tells more.
  package var command: CommandName?
  /// What people see in place of the message.
  package var lines: [String] = []

  package init(_ message: String, hint: String? = nil, command: CommandName? = nil) {
    self.message = message
    self.hint = hint
    self.command = command
  }

  /// `ingest` alone.
  package static var nothing: UsageError {
    var error = UsageError("a command is missing")
    error.lines = HelpText.usage.split(separator: "\n").map(String.init)
    return error
  }

  /// A name that is none of those known, with the nearest one.
  package static func unknown(_ kind: String, _ name: String, among known: [String], command: CommandName? = nil)
    -> UsageError
  {
    UsageError(
      "unknown \(kind) '\(name)'",
      hint: NearestName.nearest(to: name, among: known).map { "did you mean '\($0)'?" }, command: command)
  }
}
