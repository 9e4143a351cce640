import Diagnostics

/// `ingest explain`: what a finding means.
struct ExplainCommand: CommandBody {
  let invocation: ExplainInvocation

  func run(on console: Console) -> ExitCode {
    switch invocation.subject {
    case .code(let code):
      console.output.append(code.explanation.text(of: code))
      return .done
    }
  }
}
