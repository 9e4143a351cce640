import Diagnostics

extension ExplainInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let name = parsed.positionals[0]
    if parsed.positionals.count > 1 {
      throw UsageError("unexpected argument '\(parsed.positionals[1])'", command: .explain)
    }
    guard let code = DiagnosticCode(rawValue: name) else {
      let known = DiagnosticCode.allCases.map(\.rawValue)
      var error = UsageError.unknown("code", name, among: known, command: .explain)
      error.hint = error.hint ?? "the codes are: \(known.sorted().joined(separator: ", "))"
      throw error
    }
    self.code = code
    logging = try LoggingOptions(parsed)
  }
}

extension CompletionsInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let name = parsed.positionals[0]
    guard let shell = Shell(rawValue: name) else {
      throw UsageError.unknown("shell", name, among: Shell.allCases.map(\.rawValue), command: .completions)
    }
    self.shell = shell
    logging = try LoggingOptions(parsed)
  }
}
