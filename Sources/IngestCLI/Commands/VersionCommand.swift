import Fetch
import JSONReading
import MarkedYAML
import SQLiteStore
import Setup
import Values

/// `ingest --version`; with `-v` the libraries it works with follow, a line each.
struct VersionCommand: CommandBody {
  var withLibraries = false

  func run(on console: Console) -> ExitCode {
    console.output.append("ingest \(IngestVersion.number)\n")
    guard withLibraries else { return .done }
    let others = [SQLiteLibrary.version, YAMLLibrary.version, PatternLibrary.version, JSONLibrary.version]
    for library in TransferLibraries.versions + others { console.output.append("\(library)\n") }
    return .done
  }
}
