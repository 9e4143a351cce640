/// What was looked at in one mapping, for forms of output that also say what is well.
package struct CheckedMapping: Sendable {
  package struct Test: Sendable {
    package let name: String
    package let findings: [Diagnostic]

    package init(name: String, findings: [Diagnostic]) { (self.name, self.findings) = (name, findings) }
  }

  /// The name as the user gave it; `-` is standard input.
  package let name: String
  /// Those of tests aside.
  package let findings: [Diagnostic]
  package let tests: [Test]
  /// Errors of a mapping forbid to run its tests.
  package let hasRunTests: Bool
  /// What is no finding about the mapping, and still to be known of it: sentences for people.
  package var remarks: [String] = []

  package init(name: String, findings: [Diagnostic], tests: [Test] = [], hasRunTests: Bool = true) {
    (self.name, self.findings, self.tests, self.hasRunTests) = (name, findings, tests, hasRunTests)
  }

  /// All findings, in order.
  package var allFindings: [Diagnostic] { (findings + tests.flatMap(\.findings)).inOrder() }
}
