import Diagnostics
package import MappingLanguage
package import Pipeline

/// `test --update`: rewrites expectations that do not hold, and makes sure that they hold then.
package struct TestUpdater {
  private let path: String

  package init(path: String) { self.path = path }

  /// Why nothing was written.
  package struct Refusal: Error, Sendable {
    /// The test that stands in the way, where it is one.
    package var test: TestDeclaration?
    package var reason: String
  }

  /// Rewrites what these tests expect, of which each does not hold. Nothing is written when one of them, or the whole,
  /// would not hold then.
  package func update(_ outcomes: [TestOutcome]) throws(Refusal) {
    let files = try newFiles(of: outcomes)
    try check(files.reduce(into: [:]) { $0[$1.file.name] = $1.bytes }, updated: outcomes)
    for (file, _) in files {
      guard let problem = FileText.obstacle(toReplacing: file.name) else { continue }
      let test = outcomes.first { $0.test.name.span.file === file }?.test
      throw Refusal(test: test, reason: "'\(file.name)' cannot be written: \(problem)")
    }
    for (file, bytes) in files {
      guard case .bytes(file.bytes) = FileText.read(file.name) else {
        throw Refusal(reason: "'\(file.name)' has changed meanwhile, and stays as it is")
      }
      if let problem = FileText.replace(file.name, with: bytes) {
        throw Refusal(reason: "'\(file.name)' cannot be written: \(problem)")
      }
    }
  }

  private func newFiles(of outcomes: [TestOutcome]) throws(Refusal) -> [(file: SourceFile, bytes: [UInt8])] {
    var files: [(file: SourceFile, edits: [TextEdit])] = []
    for outcome in outcomes {
      do throws(UpdateRefusal) {
        let update = try ExpectationUpdate(outcome)
        if let index = files.firstIndex(where: { $0.file === update.file }) {
          files[index].edits += update.edits
        } else {
          files.append((update.file, update.edits))
        }
      } catch {
        throw Refusal(test: outcome.test, reason: error.reason)
      }
    }
    var result: [(file: SourceFile, bytes: [UInt8])] = []
    for (file, edits) in files {
      guard let bytes = TextEdit.apply(edits, to: file.bytes) else {
        throw Refusal(reason: "the expectations of '\(file.name)' overlap")
      }
      result.append((file, bytes))
    }
    return result
  }

  /// Reads the mapping as it would be, and runs all of its tests.
  private func check(_ files: [String: [UInt8]], updated: [TestOutcome]) throws(Refusal) {
    let outcome: LoadedMapping.Outcome
    do throws(LoadedMapping.Failure) {
      outcome = try LoadedMapping.read(path, for: .checking, replacing: files)
    } catch {
      throw Refusal(reason: error.message)
    }
    guard let loaded = outcome.loaded else {
      let error = outcome.diagnostics.first { $0.severity == .error }
      throw Refusal(reason: error?.message ?? "the mapping would be broken")
    }
    let findings = loaded.testRunner.run()
    if let finding = findings.first { throw Refusal(reason: "what would be written does not hold: \(finding.message)") }
  }
}
