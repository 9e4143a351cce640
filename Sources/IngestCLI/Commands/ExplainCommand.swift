import Diagnostics

/// `ingest explain`: what a finding means.
struct ExplainCommand: CommandBody {
  let invocation: ExplainInvocation

  func run(on console: Console) -> ExitCode {
    console.output.append(invocation.code.explanation.text(of: invocation.code))
    return .done
  }
}
