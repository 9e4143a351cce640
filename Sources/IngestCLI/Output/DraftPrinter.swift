import Diagnostics
import Drafting
import Setup

/// Prints a drafted mapping as the result, and as messages what is uncertain in it.
struct DraftPrinter {
  let draft: MappingDraft
  let notes: [DraftNote]

  func print(on console: Console) -> ExitCode {
    let text = draft.yaml
    let findings: [Diagnostic]
    do throws(LoadedMapping.Failure) {
      findings = try LoadedMapping.read(SourceFile(name: "draft", bytes: Array(text.utf8)), for: .checking).diagnostics
    } catch {
      console.error(error.message)
      return .failed
    }
    console.output.append(text)
    printNotes(on: console)
    guard !findings.isEmpty else { return .done }
    let isValid = !findings.contains { $0.severity == .error }
    if !isValid { console.error("the draft needs mending: it is not a valid mapping as it is") }
    console.log(findings)
    return isValid ? .done : .failed
  }

  func printNotes(on console: Console) {
    for note in notes {
      console.log(
        LogMessage(
          .info, "\(note.place): \(note.text)", fields: [("place", .text(note.place)), ("note", .text(note.text))]))
    }
  }
}
