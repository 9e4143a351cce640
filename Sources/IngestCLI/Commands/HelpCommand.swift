/// `ingest help`, `--help`.
struct HelpCommand: CommandBody {
  /// Nil: all of them.
  let subject: CommandName?
  var isManual = false

  func run(on console: Console) -> ExitCode {
    console.output.append(isManual ? ManualPage.text : subject.map(HelpText.help(on:)) ?? HelpText.overview)
    return .done
  }
}
