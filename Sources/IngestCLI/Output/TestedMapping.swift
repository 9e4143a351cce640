import Diagnostics
import MappingLanguage
import Pipeline

/// What became of one mapping and its tests, for forms of output that are printed at the end.
struct TestedMapping {
  struct Test {
    let outcome: TestOutcome
    /// It does not hold, but the file does now: what it expects was rewritten.
    var isUpdated = false
    /// What the modes found out; empty for a test that does not hold anyway.
    var modes: [(mode: TestMode, outcome: ModeOutcome)] = []

    init(_ outcome: TestOutcome) { self.outcome = outcome }

    var holds: Bool { (outcome.holds || isUpdated) && modes.allSatisfy { !$0.outcome.isFailure } }
  }

  /// The name as the user gave it.
  let name: String
  /// Errors forbid that the tests run.
  var findings: [Diagnostic] = []
  var tests: [Test] = []
  var coverage: [TestCoverage.Part] = []
  /// Why nothing was rewritten.
  var refusal: String?

  init(_ name: String) { self.name = name }

  var holds: Bool { !findings.containsErrors && tests.allSatisfy(\.holds) }

  /// As `validate` would have it.
  var checked: CheckedMapping {
    CheckedMapping(
      name: name, findings: findings,
      tests: tests.map { CheckedMapping.Test(name: $0.outcome.test.name.value, findings: $0.findings) })
  }
}

extension TestedMapping.Test {
  fileprivate var findings: [Diagnostic] {
    let name = outcome.test.name
    let ofModes = modes.compactMap { mode, result -> Diagnostic? in
      switch result {
      case .same, .passedOver: nil
      case .failed(let reason):
        Diagnostic(.failingTest, "test '\(name.value)' failed \(mode.spoken): \(reason)", at: name.span)
      case .differs(let changes):
        Diagnostic(
          .failingTest,
          "test '\(name.value)': the tables differ \(mode.spoken): "
            + changes.map { "\($0.table): \($0.reasons.joined(separator: "; "))" }.joined(separator: "; "),
          at: name.span)
      }
    }
    return (isUpdated ? [] : outcome.findings) + ofModes
  }
}

extension ModeOutcome {
  var isFailure: Bool {
    switch self {
    case .same, .passedOver: false
    case .failed, .differs: true
    }
  }
}
