import Diagnostics
import Setup
import MappingLanguage
import Pipeline

/// `ingest test`: runs the tests of mappings, and says what they do not reach.
struct TestCommand: CommandBody {
  let invocation: TestInvocation

  func run(on console: Console) -> ExitCode {
    var codes: [ExitCode] = []
    var total = TestTally()
    var tested: [TestedMapping] = []
    let modes = modes
    for entry in MappingFiles.expand(invocation.files) {
      do throws(LoadedMapping.Failure) {
        if case .failure(_, let message) = entry { throw LoadedMapping.Failure(message: message) }
        let (mapping, code) = try test(entry.name, modes, &total, on: console)
        codes.append(code)
        tested.append(mapping)
      } catch {
        codes.append(.usage)
        if let mapping = unreadable(entry.name, error.message, on: console) { tested.append(mapping) }
      }
    }
    print(tested, total, on: console)
    return ExitCode.worst(codes)
  }

  /// People are told at once; machines find it among the findings.
  private func unreadable(_ name: String, _ message: String, on console: Console) -> TestedMapping? {
    guard invocation.format != .text else {
      console.error(message)
      return nil
    }
    var mapping = TestedMapping(name)
    mapping.findings = [Diagnostic(.unreadableFile, message, at: SourceFile(name: name, bytes: []).span(0, 0))]
    return mapping
  }

  private func print(_ tested: [TestedMapping], _ total: TestTally, on console: Console) {
    switch invocation.format {
    case .text: if total.mappings > 1 { console.result(total.text) }
    case .json: console.output.append(TestReport(mappings: tested).tree.text + "\n")
    case .github:
      console.output.append(DiagnosticPrinter.github(tested.flatMap(\.checked.allFindings), paths: .toWorkingFolder))
    case .junit: console.output.append(DiagnosticPrinter.junit(tested.map(\.checked), by: "ingest test"))
    }
  }

  private var modes: [TestMode] {
    var modes: [TestMode] = []
    // A number that is easy to type.
    if invocation.shuffles { modes.append(.shuffle(seed: invocation.seed ?? UInt64.random(in: 0..<1_000_000))) }
    if invocation.duplicatesPages { modes.append(.duplicatePages) }
    if let pages = invocation.cut { modes.append(.cut(after: pages)) }
    return modes
  }

  private func test(
    _ path: String, _ modes: [TestMode], _ total: inout TestTally, on console: Console
  ) throws(LoadedMapping.Failure) -> (TestedMapping, ExitCode) {
    var tested = TestedMapping(path)
    let outcome = try MappingFiles.check(path)
    tested.findings = outcome.diagnostics
    if invocation.format == .text { console.log(outcome.diagnostics) }
    guard let loaded = outcome.loaded else { return (tested, .usage) }
    let (mapping, runner) = (loaded.mapping, loaded.testRunner)
    let faults = mapping.tests.flatMap(runner.check).inOrder()
    guard faults.isEmpty else {
      if invocation.format == .text { console.log(faults) }
      tested.findings += faults
      return (tested, .usage)
    }
    let coverage = TestCoverage()
    tested.tests = mapping.tests.map { TestedMapping.Test(runner.outcome(of: $0, noting: coverage)) }
    let tally = settle(&tested, runner, modes, on: console)
    tested.coverage = coverage.parts(of: mapping, loaded.plan)
    if let printer = printer(console) { printer.print(tally, of: path, tested.coverage) }
    total.add(tally)
    return (tested, tally.failed > 0 ? .failed : .done)
  }

  /// Nil for machines.
  private func printer(_ console: Console) -> TestPrinter? {
    invocation.format == .text ? TestPrinter(console: console) : nil
  }

  /// Rewrites what does not hold, if that is asked for, and tries the modes.
  private func settle(
    _ tested: inout TestedMapping, _ runner: TestRunner, _ modes: [TestMode], on console: Console
  ) -> TestTally {
    let printer = printer(console)
    var tally = TestTally(tested.tests.map(\.outcome))
    let failed = tested.tests.map(\.outcome).filter { !$0.holds }
    if invocation.updates, !failed.isEmpty, update(&tested, failed, printer) {
      tally.failed = 0
    } else {
      for outcome in failed { printer?.print(outcome) }
    }
    for mode in modes {
      for number in tested.tests.indices where tested.tests[number].outcome.holds {
        let test = tested.tests[number].outcome.test
        let result = runner.outcome(of: test, number: number, under: mode)
        tally.note(result, of: number, mode)
        tested.tests[number].modes.append((mode, result))
        printer?.print(result, of: test, under: mode)
      }
    }
    return tally
  }

  /// False when nothing was written.
  private func update(_ tested: inout TestedMapping, _ failed: [TestOutcome], _ printer: TestPrinter?) -> Bool {
    do throws(TestUpdater.Refusal) {
      try TestUpdater(path: tested.name).update(failed)
      for number in tested.tests.indices { tested.tests[number].isUpdated = !tested.tests[number].outcome.holds }
      printer?.printUpdated(failed, in: tested.name)
      return true
    } catch {
      tested.refusal = error.reason
      printer?.print(error, in: tested.name)
      return false
    }
  }
}

/// How many tests there were, and what became of them.
struct TestTally {
  var mappings = 0
  var tests = 0
  /// Tests that do not hold, be it in one of the modes.
  var failed = 0
  /// Of each mode, how many tests it was tried on.
  var tried: [(mode: TestMode, count: Int)] = []
  /// Tests that hold, but not in one of the modes.
  private var depending: Set<Int> = []

  init() {}

  init(_ outcomes: [TestOutcome]) {
    (mappings, tests) = (1, outcomes.count)
    failed = outcomes.count { !$0.holds }
  }

  mutating func note(_ result: ModeOutcome, of test: Int, _ mode: TestMode) {
    if !tried.contains(where: { $0.mode == mode }) { tried.append((mode, 0)) }
    guard let index = tried.firstIndex(where: { $0.mode == mode }) else { return }
    switch result {
    case .passedOver: return
    case .same: tried[index].count += 1
    case .failed, .differs:
      tried[index].count += 1
      if depending.insert(test).inserted { failed += 1 }
    }
  }

  mutating func add(_ other: TestTally) {
    mappings += other.mappings
    tests += other.tests
    failed += other.failed
  }

  var text: String { "\(mappings) mappings, \(outcome)" }

  /// `5 tests, all hold`, `5 tests, 1 failed`
  var outcome: String {
    guard tests > 0 else { return "no tests" }
    let count = tests == 1 ? "1 test" : "\(tests) tests"
    if failed > 0 { return "\(count), \(failed) failed" }
    return tests == 1 ? "\(count), which holds" : "\(count), all of which hold"
  }
}
