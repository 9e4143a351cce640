/// One message: a line for people, an object for machines.
package struct LogMessage: Sendable {
  package enum Level: String, Sendable {
    /// Said only with `-v`.
    case debug
    /// Not said with `-q`.
    case info
    case warning, error
  }

  package enum Value: Sendable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case null
  }

  package var level: Level
  package var message: String
  /// What to do: a line of its own for people.
  package var hint: String?
  /// Members for machines beside `level`, `message`, `time` and `hint`, under other names.
  package var fields: [(name: String, value: Value)]
  /// The lines that people see in place of `message`, without a level in front; none means `message`.
  package var lines: [String]

  package init(
    _ level: Level, _ message: String, hint: String? = nil, fields: [(name: String, value: Value)] = [],
    lines: [String] = []
  ) {
    self.level = level
    self.message = message
    self.hint = hint
    self.fields = fields
    self.lines = lines
  }
}

extension LogMessage {
  /// The command was asked to stop, and does.
  package static func interrupted(_ message: String) -> LogMessage {
    LogMessage(.error, message, lines: ["interrupted: \(message)"])
  }
}
