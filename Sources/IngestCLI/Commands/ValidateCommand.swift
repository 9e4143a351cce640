import Diagnostics
import MappingLanguage
import Pipeline
import Setup

/// `ingest validate`: findings about mappings, and their tests.
struct ValidateCommand: CommandBody {
  let invocation: ValidateInvocation

  func run(on console: Console) -> ExitCode {
    var mappings: [CheckedMapping] = []
    var isUnreadable = false
    let entries = MappingFiles.expand(invocation.files)
    for (number, entry) in entries.enumerated() {
      do throws(LoadedMapping.Failure) {
        mappings.append(try check(entry, isLast: number == entries.count - 1))
      } catch {
        isUnreadable = true
        if let mapping = unreadable(entry.name, error.message, on: console) { mappings.append(mapping) }
      }
    }
    let findings = distinct(mappings.flatMap(\.allFindings))
    print(findings, of: mappings, on: console)
    for mapping in mappings { for remark in mapping.remarks { console.warning("\(mapping.name): \(remark)") } }
    if isUnreadable || findings.containsErrors { return .usage }
    return invocation.deniesWarnings && !findings.isEmpty ? .usage : .done
  }

  private func check(_ entry: MappingFiles.Entry, isLast: Bool) throws(LoadedMapping.Failure) -> CheckedMapping {
    switch entry {
    case .failure(_, let message): throw LoadedMapping.Failure(message: message)
    case .file("-"):
      switch FileText.read(descriptor: 0, limit: MappingReader.mostBytes) {
      case .failed(let reason): throw LoadedMapping.Failure(message: "standard input cannot be read: \(reason)")
      case .bytes(let bytes): return try MappingCheck.check(SourceFile(name: "-", bytes: bytes))
      }
    case .file(let path): return try MappingCheck.check(path, isLast: isLast)
    }
  }

  /// People are told as of every file that is not there; machines find it among the findings, and so does who reads them.
  private func unreadable(_ name: String, _ message: String, on console: Console) -> CheckedMapping? {
    guard invocation.format != .text else {
      console.error(message)
      return nil
    }
    let place = SourceFile(name: name, bytes: []).span(0, 0)
    return CheckedMapping(name: name, findings: [Diagnostic(.unreadableFile, message, at: place)])
  }

  /// What several mappings include is told of once.
  private func distinct(_ findings: [Diagnostic]) -> [Diagnostic] {
    var met: Set<[String]> = []
    return findings.filter { finding in
      let place = "\(finding.span.start.offset)-\(finding.span.end.offset)"
      return met.insert([finding.span.file.name, place, finding.code.rawValue, finding.message]).inserted
    }
  }

  private func print(_ findings: [Diagnostic], of mappings: [CheckedMapping], on console: Console) {
    let denies = invocation.deniesWarnings
    switch invocation.format {
    case .text:
      console.result(findings)
      if !mappings.isEmpty { console.info(summary(findings, of: mappings)) }
    case .json: console.output.append(DiagnosticPrinter.json(findings, denyingWarnings: denies))
    case .sarif:
      console.output.append(DiagnosticPrinter.sarif(findings, version: IngestVersion.number, paths: .toWorkingFolder))
    case .github: console.output.append(DiagnosticPrinter.github(findings, paths: .toWorkingFolder))
    case .junit: console.output.append(DiagnosticPrinter.junit(mappings, denyingWarnings: denies))
    }
  }

  private func summary(_ findings: [Diagnostic], of mappings: [CheckedMapping]) -> String {
    let errors = findings.count { $0.severity == .error }
    let run = mappings.filter(\.hasRunTests).reduce(0) { $0 + $1.tests.count }
    let checked = "\(mappings.count.counted("mapping")) and \(run.counted("test")) checked: "
    if findings.isEmpty { return checked + "no findings" }
    return checked + "\(errors.counted("error")), \((findings.count - errors).counted("warning"))"
  }
}
