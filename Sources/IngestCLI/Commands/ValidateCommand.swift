import Diagnostics
import Ingest
import JSONReading
import MappingLanguage
import Pipeline

/// `ingest validate`: findings about mappings, and their tests.
struct ValidateCommand: CommandBody {
  let invocation: ValidateInvocation

  func run(on console: Console) -> ExitCode {
    var findings: [Diagnostic] = []
    var isUnreadable = false
    for name in MappingFiles.expand(invocation.files) {
      switch name {
      case .failure(let message):
        console.error(message)
        isUnreadable = true
      case .file(let path):
        do throws(LoadedMapping.Failure) {
          findings += try validate(path)
        } catch {
          console.error(error.message)
          isUnreadable = true
        }
      }
    }
    switch invocation.format {
    case .text: console.result(findings)
    case .json: console.output.append(DiagnosticPrinter.json(findings) + "\n")
    }
    if isUnreadable || findings.containsErrors { return .usage }
    return invocation.deniesWarnings && !findings.isEmpty ? .usage : .done
  }

  private func validate(_ path: String) throws(LoadedMapping.Failure) -> [Diagnostic] {
    let outcome = try path == "-" ? standardInput() : LoadedMapping.read(path, for: .checking)
    guard let loaded = outcome.loaded else { return outcome.diagnostics }
    let folder = MappingFiles.folder(of: path)
    let runner = TestRunner(
      mapping: loaded.mapping, plan: loaded.plan, scope: loaded.scope, makeStore: StoreAddress.temporary
    ) { name in
      let place = name.hasPrefix("/") ? name : folder + name
      return FileText.isReadableFile(place) && !FileText.isFolder(place) ? .file(place) : nil
    }
    return (outcome.diagnostics + runner.run()).inOrder()
  }

  private func standardInput() throws(LoadedMapping.Failure) -> LoadedMapping.Outcome {
    switch FileText.read(descriptor: 0, limit: 8 << 20) {
    case .failed(let reason): throw LoadedMapping.Failure(message: "standard input cannot be read: \(reason)")
    case .bytes(let bytes): return try LoadedMapping.read(SourceFile(name: "-", bytes: bytes), for: .checking)
    }
  }
}
