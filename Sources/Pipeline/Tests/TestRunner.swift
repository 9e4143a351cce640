package import Diagnostics
import Fetch
package import JSONReading
package import MappingLanguage
package import PlanCompiler
import Records
package import Store
import Values

/// Runs the `tests` of a mapping: bodies in, tables out, compared with what is expected.
package struct TestRunner {
  private let mapping: Mapping
  private let plan: Plan
  private let names: TestNames
  private var scope: Interpolation
  /// A fresh store for each test.
  private let makeStore: () throws(StoreError) -> any ReadableStore
  /// Reads a file that a test names, relative to the mapping; nil when it is not there.
  private let read: (String) -> BodySource?

  package init(
    mapping: Mapping, plan: Plan, scope: Interpolation,
    makeStore: @escaping () throws(StoreError) -> any ReadableStore, read: @escaping (String) -> BodySource?
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
    let faults = names.findings(of: test) + missingSamples(of: test)
    guard faults.isEmpty else { return faults }
    return failures(of: test).map { message in
      Diagnostic(.failingTest, "test '\(test.name.value)': \(message)", at: test.name.span)
    }
  }

  /// Files that are not there.
  package func missingSamples(of test: TestDeclaration) -> [Diagnostic] {
    guard case .files(let files) = test.body else { return [] }
    return files.filter { read($0.value) == nil }.map { file in
      Diagnostic(.unreadableFile, "the sample '\(file.value)' is not there, or cannot be read", at: file.span)
    }
  }

  // MARK: running

  private func failures(of test: TestDeclaration) -> [String] {
    do throws(StoreError) {
      let store = TestStore(try makeStore())
      let session = try RunSession(
        mapping: mapping, plan: plan, scope: scope, store: store, redactor: Redactor(), command: "test",
        allowingLoss: false,
        report: { _ in })
      var requests: [String] = []
      let failure = load(test, session: session, requests: &requests)
      try session.end(failure)
      return compare(test, session: session, store: store, failure: failure, requests: requests)
    } catch {
      return [error.message]
    }
  }

  private func load(_ test: TestDeclaration, session: RunSession, requests: inout [String]) -> PipelineError? {
    do throws(PipelineError) {
      let bodies = sources(of: test)
      if test.requests != nil {
        let transport = ScriptedTransport(bodies)
        defer { requests = transport.requests }
        let walker = try Walker(session: session, transport: transport, clock: InstantClock(), asksServers: false)
        try walker.walk(endpoints: test.endpoint.map { [$0.value] })
        return nil
      }
      let route: Loader.Route =
        test.path.map { .path($0.value, method: test.method ?? "GET") } ?? .endpoint(test.endpoint?.value)
      let loader = try Loader(session: session, route: route, status: test.status)
      try loader.load(bodies.map(Loader.Input.body))
      return nil
    } catch {
      return error
    }
  }

  private func sources(of test: TestDeclaration) -> [Loader.Body] {
    switch test.body {
    case .inline(let text): [Loader.Body(name: "body", source: .memory(Array(text.utf8)))]
    case .files(let files):
      files.compactMap { file in read(file.value).map { Loader.Body(name: file.value, source: $0) } }
    }
  }

  private func compare(
    _ test: TestDeclaration, session: RunSession, store: TestStore, failure: PipelineError?, requests: [String]
  ) -> [String] {
    var faults: [String] = []
    if test.errorMessage == nil, test.errorCode == nil {
      if let failure { faults.append(failure.message) }
    } else if let missing = store.missingError(message: test.errorMessage, code: test.errorCode) {
      faults.append(missing)
    }
    for table in test.tables {
      do {
        let fault = TableExpectation(expected: table, stored: try store.readRows(of: table.name.value)).fault
        if let fault { faults.append(fault) }
      } catch {
        faults.append(error.message)
      }
    }
    if let expected = test.rejects, expected != session.summary.rejected {
      let reasons = session.summary.preview.map { "\($0.pointer): \($0.reason)" }.joined(separator: "; ")
      faults.append("\(session.summary.rejected) records were rejected, expected are \(expected): \(reasons)")
    } else if test.rejects == nil, session.summary.rejected > 0, failure == nil {
      let reasons = session.summary.preview.map { "\($0.pointer): \($0.reason)" }.joined(separator: "; ")
      faults.append("\(session.summary.rejected) records were rejected, none was expected: \(reasons)")
    }
    if let expected = test.requests, expected != requests {
      faults.append("the requests were \(requests), expected are \(expected)")
    }
    return faults
  }
}
