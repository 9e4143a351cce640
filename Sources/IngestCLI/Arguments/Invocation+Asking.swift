import Diagnostics

extension ExplainInvocation {
  /// A word with a dot is `TABLE.COLUMN`: no code has one.
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let name = parsed.positionals[0]
    if name.utf8.contains(UInt8(ascii: ".")) {
      throw UsageError("explaining stored values, as '\(name)', is not available yet", command: .explain)
    }
    if parsed.positionals.count > 1 {
      throw UsageError("unexpected argument '\(parsed.positionals[1])'", command: .explain)
    }
    guard let code = DiagnosticCode(rawValue: name) else {
      let known = DiagnosticCode.allCases.map(\.rawValue)
      var error = UsageError.unknown("code", name, among: known, command: .explain)
      error.hint = error.hint ?? "the codes are: \(known.sorted().joined(separator: ", "))"
      throw error
    }
    subject = .code(code)
    logging = try LoggingOptions(parsed)
  }
}

extension SchemaInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let format = parsed.value(.format).flatMap(Format.init) else {
      throw UsageError("schema needs --format json-schema", command: .schema)
    }
    self.format = format
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
