import Diagnostics
import JSONReading
import MappingLanguage
import Pipeline
import PlanCompiler
import SQLiteStore
import Store
import TestSupport
import Values

/// A mapping with tests, and the files that they name.
struct TestedYAML {
  let mapping: Mapping
  let plan: Plan
  let runner: TestRunner

  init(_ text: String, files: [String: String] = [:]) throws {
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", text: text)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "none")
    }
    let scope = Interpolation(variables: [], now: Instant(seconds: 0), isChecking: true, environment: { _ in nil })
    guard let mapping, !findings.containsErrors, let plan = PlanCompiler.compile(mapping, scope: scope).plan else {
      throw FixtureError(DiagnosticPrinter.text(findings, colour: false))
    }
    (self.mapping, self.plan) = (mapping, plan)
    runner = TestRunner(
      mapping: mapping, plan: plan, scope: scope,
      makeStore: { () throws(StoreError) in try SQLiteStore(path: ":memory:") },
      read: { files[$0.value].map { BodySource.memory(Array($0.utf8)) } })
  }

  var outcomes: [TestOutcome] { mapping.tests.map { runner.outcome(of: $0) } }

  /// What the tests that do not hold are rewritten to.
  func updated() throws -> String {
    var edits: [TextEdit] = []
    for outcome in outcomes where !outcome.holds { edits += try ExpectationUpdate(outcome).edits }
    guard let bytes = TextEdit.apply(edits, to: mapping.files[0].bytes) else { throw FixtureError("edits overlap") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
