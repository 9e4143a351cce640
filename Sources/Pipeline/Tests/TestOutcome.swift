package import Diagnostics
package import MappingLanguage

/// What became of a test: it holds when nothing failed.
package struct TestOutcome: Sendable {
  package let test: TestDeclaration
  package let failures: [TestFailure]

  package var holds: Bool { failures.isEmpty }

  /// As `validate` reports it, at the test's name.
  ///
  /// An error that came, or records that were rejected, are why tables are not as expected: only they are told then.
  package var findings: [Diagnostic] {
    let causes = failures.filter(\.isCause)
    let told = causes.isEmpty ? failures[...] : causes.prefix(1)
    let left = failures.count - told.count
    let more =
      left == 0 ? nil : "'ingest test' shows \(left == 1 ? "what else differs" : "the \(left) other differences")"
    return told.map { failure in
      Diagnostic(.failingTest, "test '\(test.name.value)': \(failure.text)", at: test.name.span, hint: more)
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

  /// May tables differ because of it?
  var isCause: Bool {
    switch self {
    case .other: true
    case .rejects(let count, let expected, _): count > expected ?? 0
    case .table, .requests: false
    }
  }

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
