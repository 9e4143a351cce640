import Setup

/// `ingest --version`
struct VersionCommand: CommandBody {
  func run(on console: Console) -> ExitCode {
    console.output.append("ingest \(IngestVersion.number)\n")
    return .done
  }
}
