package import Diagnostics
import Fetch
package import JSONReading
package import MappingLanguage
package import PlanCompiler
package import Store
import Values

/// Runs the `tests` of a mapping: bodies in, tables out, compared with what is expected.
package struct TestRunner {
  let mapping: Mapping
  let plan: Plan
  private let names: TestNames
  private(set) var scope: Interpolation
  /// A fresh store for each test.
  let makeStore: () throws(StoreError) -> any ReadableStore
  /// Reads a file that a test names, relative to the file in which it is named; nil when it is not there.
  let read: (Located<String>) -> BodySource?

  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation,
    makeStore: @escaping () throws(StoreError) -> any ReadableStore, read: @escaping (Located<String>) -> BodySource?
  ) {
    self.mapping = mapping
    self.plan = plan
    names = TestNames(plan: plan)
    self.scope = scope
    // Requests are built, never sent: what is secret needs no value.
    self.scope.secret = { _ in "***" }
    self.makeStore = makeStore
    self.read = read
  }

  /// A finding for each test that cannot be run or does not hold.
  package func run() -> [Diagnostic] { mapping.tests.flatMap(findings) }

  /// What is wrong with one test.
  package func findings(of test: TestDeclaration) -> [Diagnostic] {
    let faults = check(test)
    return faults.isEmpty ? outcome(of: test).findings : faults
  }

  /// What can be said of a test without running it: names that the mapping does not have, samples that are not there.
  package func check(_ test: TestDeclaration) -> [Diagnostic] { names.findings(of: test) + missingSamples(of: test) }

  /// Files that are not there.
  package func missingSamples(of test: TestDeclaration) -> [Diagnostic] {
    guard case .files(let files) = test.body else { return [] }
    return files.filter { read($0) == nil }.map { file in
      Diagnostic(
        .unreadableFile, "the sample '\(file.value)' is not there, or is no file that can be read", at: file.span)
    }
  }

  // MARK: running

  /// Runs a test in which `check` finds nothing wrong.
  package func outcome(of test: TestDeclaration, noting coverage: TestCoverage? = nil) -> TestOutcome {
    let run: TestRun
    do throws(StoreError) {
      run = try perform(test, sources(of: test), way: test.requests == nil ? .load : .walk, coverage)
    } catch {
      return TestOutcome(test: test, failures: [.other(error.message)])
    }
    return TestOutcome(test: test, failures: failures(of: test, run))
  }

  func sources(of test: TestDeclaration) -> [Loader.Body] {
    switch test.body {
    case .inline(let text): [Loader.Body(name: "body", source: .memory(Array(text.utf8)))]
    case .files(let files):
      files.compactMap { file in read(file).map { Loader.Body(name: file.value, source: $0) } }
    }
  }

  // MARK: comparing

  private func failures(of test: TestDeclaration, _ run: TestRun) -> [TestFailure] {
    var failures: [TestFailure] = []
    if test.expectsError {
      let missing = run.store.missingError(message: test.errorMessage, code: test.errorCode, failure: run.failure)
      if let missing { failures.append(.other(missing)) }
    } else if let failure = run.failure {
      failures.append(.other(failure.message))
    }
    for table in test.tables {
      do throws(StoreError) {
        let expectation = TableExpectation(expected: table, stored: try run.store.readRows(of: table.name.value))
        if let fault = expectation.fault { failures.append(.table(fault, expectation.difference)) }
      } catch {
        failures.append(.other(error.message))
      }
    }
    let rejected = run.session.summary.rejected
    if test.rejects.map({ $0.value != rejected }) ?? (rejected > 0 && run.failure == nil) {
      let reasons = RejectReasons.texts(run.session.summary.preview)
      failures.append(.rejects(rejected, expected: test.rejects?.value, reasons))
    }
    if let expected = test.requests?.items.map(\.value), !Self.areEqual(expected, run.requests) {
      failures.append(.requests(run.requests, expected: expected))
    }
    return failures
  }

  private static func areEqual(_ these: [String], _ those: [String]) -> Bool {
    these.count == those.count && zip(these, those).allSatisfy { $0.isSame(as: $1) }
  }
}
