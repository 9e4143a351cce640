package import Diagnostics
import Glibc

/// Where a command speaks: results to standard output, messages to standard error.
///
/// `output` belongs to one thread; `messages` may be copied to others.
package final class Console {
  package let output: OutputBuffer
  package var messages: MessageWriter
  private let isOutputColoured: Bool

  package init(output: OutputBuffer, messages: MessageWriter, isOutputColoured: Bool = false) {
    self.output = output
    self.messages = messages
    self.isOutputColoured = isOutputColoured
  }

  /// The console of this process.
  package convenience init(_ options: LoggingOptions) {
    let isColoured = options.format == .text && Descriptor.wantsColour(STDERR_FILENO)
    var messages = MessageWriter(options, descriptor: STDERR_FILENO, isColoured: isColoured)
    if options.format == .text, Descriptor.isTerminal(STDERR_FILENO) {
      messages.line = ProgressLine(descriptor: STDERR_FILENO)
    }
    self.init(
      output: OutputBuffer(descriptor: STDOUT_FILENO), messages: messages,
      isOutputColoured: Descriptor.wantsColour(STDOUT_FILENO))
  }

  package func log(_ message: LogMessage) { messages.write(message) }

  /// Does anybody read what `debug` says?
  package var isVerbose: Bool { messages.options.verbosity == .verbose }

  package func debug(_ message: String) { log(LogMessage(.debug, message)) }
  package func info(_ message: String) { log(LogMessage(.info, message)) }
  package func warning(_ message: String, hint: String? = nil) { log(LogMessage(.warning, message, hint: hint)) }
  package func error(_ message: String, hint: String? = nil) { log(LogMessage(.error, message, hint: hint)) }

  /// Findings as messages.
  package func log(_ findings: [Diagnostic]) { messages.write(findings) }

  /// Findings as the result, for people.
  package func result(_ findings: [Diagnostic]) {
    output.append(messages.redaction(DiagnosticPrinter.text(findings, colour: isOutputColoured)))
  }

  /// A line of a result for people: what could upset a terminal is escaped.
  package func result(_ line: String) {
    output.append(VisibleText.escaped(messages.redaction(line), keepingTabs: true))
    output.append(UInt8(ascii: "\n"))
  }

  /// Hands out what is buffered.
  ///
  /// - Returns: the status to exit with: that of `code`, save when the result could not be written. 141, as the shell
  ///   reports it, when nobody reads it: the result is not whole, and that is no news to the reader who left.
  package func finish(_ code: ExitCode) -> Int32 {
    output.flush()
    switch output.failure {
    case nil:
      return code.rawValue
    case .closed:
      return code == .done || code == .rejections ? 141 : code.rawValue
    case .failed(let number):
      error("cannot write to standard output: \(String(cString: strerror(number))); what is there is not whole")
      return ExitCode.worst([code, .failed]).rawValue
    }
  }
}
