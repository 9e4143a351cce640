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
    let outcome = try MappingFiles.check(path)
    guard let loaded = outcome.loaded else { return outcome.diagnostics }
    return (outcome.diagnostics + loaded.testRunner.run()).inOrder()
  }
}
