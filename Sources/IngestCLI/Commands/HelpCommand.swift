/// `ingest help`, `--help`.
struct HelpCommand: CommandBody {
  /// Nil: all of them.
  let subject: CommandName?

  func run(on console: Console) -> ExitCode {
    console.output.append(subject.map(HelpText.help(on:)) ?? HelpText.overview)
    return .done
  }
}
