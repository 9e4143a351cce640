package import Diagnostics

/// Writes messages to standard error, each by one `write(2)`, so that several threads may use it at once.
package struct MessageWriter: Sendable {
  package var options: LoggingOptions
  package var isColoured: Bool
  /// Applied to all text before it is escaped: takes secrets out of it.
  package var redaction: @Sendable (String) -> String = { $0 }
  /// Seconds and nanoseconds since 1970.
  package var clock: @Sendable () -> (seconds: Int, nanoseconds: Int) = Timestamp.now
  /// At the foot of the terminal: messages go above it.
  package var line: ProgressLine?
  private let descriptor: Int32

  /// - Parameter descriptor: stays open; the caller owns it.
  package init(_ options: LoggingOptions, descriptor: Int32, isColoured: Bool = false) {
    self.options = options
    self.descriptor = descriptor
    self.isColoured = isColoured
  }

  /// Writes a message that the verbosity lets through. A failure to write is no matter of the command's.
  package func write(_ message: LogMessage) {
    switch (message.level, options.verbosity) {
    case (.debug, .quiet), (.debug, .normal), (.info, .quiet): return
    default: break
    }
    write(options.format == .json ? json(message) : plain(message))
  }

  /// Writes findings about mappings: with their places for people, one object each for machines.
  package func write(_ findings: [Diagnostic]) {
    guard options.format == .json else {
      return write(redaction(DiagnosticPrinter.text(findings, colour: isColoured)))
    }
    for finding in findings {
      let start = finding.span.start
      write(
        LogMessage(
          finding.severity == .error ? .error : .warning, finding.message, hint: finding.hint,
          fields: [
            ("file", .text(finding.span.file.name)), ("line", .integer(start.line)),
            ("column", .integer(start.column)), ("code", .text(finding.code.rawValue)),
          ]))
    }
  }

  private func write(_ text: String) {
    guard !text.isEmpty else { return }
    guard let line else { return put(text) }
    line.above { put(text) }
  }

  private func put(_ text: String) {
    var text = text
    _ = text.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private func plain(_ message: LogMessage) -> String {
    var lines = message.lines.map(safe)
    if lines.isEmpty {
      switch message.level {
      case .debug, .info: lines = [safe(message.message)]
      case .warning: lines = [coloured("warning:", "33") + " " + safe(message.message)]
      case .error: lines = [coloured("error:", "31") + " " + safe(message.message)]
      }
    }
    if let hint = message.hint { lines.append("hint: " + safe(hint)) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func json(_ message: LogMessage) -> String {
    var members = [
      ("level", LogMessage.Value.text(message.level.rawValue)), ("message", .text(message.message)),
      ("time", .text(Timestamp.rfc3339(clock()))),
    ]
    if let hint = message.hint { members.append(("hint", .text(hint))) }
    for (name, value) in message.fields {
      precondition(!members.contains { $0.0 == name }, "a field of a message has a name of its own")
      members.append((name, value))
    }
    let parts = members.map { JSONText.quoted($0.0) + ": " + json($0.1) }
    return "{" + parts.joined(separator: ", ") + "}\n"
  }

  private func json(_ value: LogMessage.Value) -> String {
    switch value {
    case .text(let text): JSONText.quoted(redaction(text))
    case .integer(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .null: "null"
    }
  }

  func safe(_ text: String) -> String { VisibleText.escaped(redaction(text), keepingTabs: true) }

  private func coloured(_ word: String, _ colour: String) -> String {
    isColoured ? "\u{1B}[1;\(colour)m\(word)\u{1B}[0m" : word
  }
}
