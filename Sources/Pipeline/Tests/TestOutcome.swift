package import Diagnostics
package import MappingLanguage

/// What became of a test: it holds when nothing failed.
package struct TestOutcome: Sendable {
  package let test: TestDeclaration
  package let failures: [TestFailure]

  package var holds: Bool { failures.isEmpty }

  /// As `validate` reports it, at the test's name.
  package var findings: [Diagnostic] {
    failures.map { failure in
      Diagnostic(.failingTest, "test '\(test.name.value)': \(failure.text)", at: test.name.span)
    }
  }
}

/// What of a test does not hold.
package enum TestFailure: Sendable {
  /// The rows of a table, in a sentence and in full.
  case table(String, TableDifference)
  /// How many records were rejected, and the first reasons.
  case rejects(Int, expected: Int?, [String])
  case requests([String], expected: [String])
  /// An error that came, or did not come.
  case other(String)

  package var text: String {
    switch self {
    case .table(let text, _), .other(let text): text
    case .rejects(let count, let expected, let reasons):
      "\(count == 1 ? "1 record was" : "\(count) records were") rejected, "
        + (expected.map { "expected are \($0)" } ?? "none was expected")
        + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; "))
    case .requests(let requests, let expected): "the requests were \(requests), expected are \(expected)"
    }
  }
}
