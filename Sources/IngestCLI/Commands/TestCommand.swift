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
    let modes = modes
    for entry in MappingFiles.expand(invocation.files) {
      switch entry {
      case .failure(_, let message):
        console.error(message)
        codes.append(.usage)
      case .file(let path):
        do throws(LoadedMapping.Failure) {
          codes.append(try test(path, modes, &total, on: console))
        } catch {
          console.error(error.message)
          codes.append(.usage)
        }
      }
    }
    if total.mappings > 1 { console.result(total.text) }
    return ExitCode.worst(codes)
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
  ) throws(LoadedMapping.Failure) -> ExitCode {
    let outcome = try MappingFiles.check(path)
    console.log(outcome.diagnostics)
    guard let loaded = outcome.loaded else { return .usage }
    let (mapping, runner) = (loaded.mapping, loaded.testRunner)
    let faults = mapping.tests.flatMap(runner.check).inOrder()
    guard faults.isEmpty else {
      console.log(faults)
      return .usage
    }
    let coverage = TestCoverage()
    let outcomes = mapping.tests.map { runner.outcome(of: $0, noting: coverage) }
    var tally = TestTally(outcomes)
    let printer = TestPrinter(console: console)
    let failed = outcomes.filter { !$0.holds }
    if invocation.updates, !failed.isEmpty {
      if update(path, failed, printer) { tally.failed = 0 } else { failed.forEach(printer.print) }
    } else {
      failed.forEach(printer.print)
    }
    for mode in modes {
      for (number, outcome) in outcomes.enumerated() where outcome.holds {
        let result = runner.outcome(of: outcome.test, number: number, under: mode)
        tally.note(result, of: number, mode)
        printer.print(result, of: outcome.test, under: mode)
      }
    }
    printer.print(tally, of: path, coverage.parts(of: mapping, loaded.plan))
    total.add(tally)
    return tally.failed > 0 ? .failed : .done
  }

  /// False when nothing was written.
  private func update(_ path: String, _ failed: [TestOutcome], _ printer: TestPrinter) -> Bool {
    do throws(TestUpdater.Refusal) {
      try TestUpdater(path: path).update(failed)
      printer.printUpdated(failed, in: path)
      return true
    } catch {
      printer.print(error, in: path)
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
