/// `ingest completions SHELL`
struct CompletionsCommand: CommandBody {
  let invocation: CompletionsInvocation

  func run(on console: Console) -> ExitCode {
    switch invocation.shell {
    case .bash: console.output.append(BashCompletion.script)
    case .zsh: console.output.append(ZshCompletion.script)
    case .fish: console.output.append(FishCompletion.script)
    }
    return .done
  }
}
