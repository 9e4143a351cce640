package import Diagnostics
import JSONReading
import MappingLanguage
import Pipeline

/// All that can be said of a mapping without a network, a secret or a database: what `ingest validate` finds.
package enum MappingCheck {
  /// `isLast`: the process ends behind it, so nothing of the mapping is freed one by one.
  ///
  /// - Throws: `LoadedMapping.Failure` when the file cannot be read.
  package static func check(_ path: String, isLast: Bool = false) throws(LoadedMapping.Failure) -> CheckedMapping {
    let outcome = try LoadedMapping.read(path, for: .checking)
    if isLast { _ = Unmanaged.passRetained(Leftover(outcome)) }
    return check(outcome, named: path)
  }

  private final class Leftover {
    let outcome: LoadedMapping.Outcome

    init(_ outcome: LoadedMapping.Outcome) { self.outcome = outcome }
  }

  package static func check(_ file: SourceFile) throws(LoadedMapping.Failure) -> CheckedMapping {
    check(try LoadedMapping.read(file, for: .checking), named: file.name)
  }

  private static func check(_ outcome: LoadedMapping.Outcome, named name: String) -> CheckedMapping {
    var findings = outcome.diagnostics
    let tests = outcome.draft.map { self.tests(of: $0, in: outcome) } ?? []
    var allowed = outcome.allowed
    if let loaded = outcome.loaded {
      let check = SampleCheck(mapping: loaded.mapping, plan: loaded.plan, read: LoadedMapping.sample)
      let unmatched = check.findings()
      let split = outcome.allowances?.split(unmatched)
      findings += split?.left ?? unmatched
      allowed += split?.allowed ?? []
    }
    if let allowances = outcome.allowances {
      let all = findings + allowed + tests.flatMap(\.findings)
      findings += allowances.faults(given: all, areComplete: outcome.loaded != nil)
    }
    var checked = CheckedMapping(
      name: name, findings: findings.inOrder(), tests: tests, hasRunTests: outcome.loaded != nil)
    if outcome.draft?.mapping.store?.isPostgreSQL ?? false { checked.remarks = [Self.postgreSQL] }
    return checked
  }

  private static let postgreSQL =
    "this version stores in SQLite only: 'run' and 'load' need --store sqlite:FILE; 'schema' prints the tables of PostgreSQL"

  /// Of a mapping with errors, the samples and the names are looked at; tables and columns only where nothing is wrong
  /// with the records, whose columns are else not all known.
  private static func tests(
    of mapping: LoadedMapping, in outcome: LoadedMapping.Outcome
  ) -> [CheckedMapping.Test] {
    let runner = mapping.testRunner
    let areRecordsSound = !outcome.diagnostics.contains { finding in
      finding.severity == .error && mapping.mapping.recordSpans.contains { $0.holds(startOf: finding.span) }
    }
    let names = TestNames(plan: mapping.plan)
    return mapping.mapping.tests.map { test in
      if outcome.loaded != nil {
        return CheckedMapping.Test(name: test.name.value, findings: runner.findings(of: test))
      }
      let tables = areRecordsSound ? test.tables.flatMap(names.tableFindings) : []
      return CheckedMapping.Test(name: test.name.value, findings: runner.missingSamples(of: test) + tables)
    }
  }
}
