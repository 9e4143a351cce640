package import Diagnostics
import JSONReading
import MappingLanguage
import Pipeline

/// All that can be said of a mapping without a network, a secret or a database: what `ingest validate` finds.
package enum MappingCheck {
  /// - Throws: `LoadedMapping.Failure` when the file cannot be read.
  package static func check(_ path: String) throws(LoadedMapping.Failure) -> CheckedMapping {
    check(try LoadedMapping.read(path, for: .checking), named: path)
  }

  package static func check(_ file: SourceFile) throws(LoadedMapping.Failure) -> CheckedMapping {
    check(try LoadedMapping.read(file, for: .checking), named: file.name)
  }

  private static func check(_ outcome: LoadedMapping.Outcome, named name: String) -> CheckedMapping {
    var findings = outcome.diagnostics
    let folder = folder(of: name)
    let tests = outcome.draft.map { self.tests(of: $0, in: outcome, folder: folder) } ?? []
    var allowed = outcome.allowed
    if let loaded = outcome.loaded {
      let check = SampleCheck(mapping: loaded.mapping, plan: loaded.plan) { sample($0, in: folder) }
      let unmatched = check.findings()
      let split = outcome.allowances?.split(unmatched)
      findings += split?.left ?? unmatched
      allowed += split?.allowed ?? []
    }
    if let allowances = outcome.allowances {
      let all = findings + allowed + tests.flatMap(\.findings)
      findings += allowances.faults(given: all, areComplete: outcome.loaded != nil)
    }
    return CheckedMapping(
      name: name, findings: findings.inOrder(), tests: tests, hasRunTests: outcome.loaded != nil)
  }

  /// Of a mapping with errors, the samples and the names are looked at; tables and columns only where nothing is wrong
  /// with the records, whose columns are else not all known.
  private static func tests(
    of mapping: LoadedMapping, in outcome: LoadedMapping.Outcome, folder: String
  ) -> [CheckedMapping.Test] {
    let runner = TestRunner(
      mapping: mapping.mapping, plan: mapping.plan, scope: mapping.scope, makeStore: StoreAddress.temporary
    ) { sample($0, in: folder) }
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

  private static func sample(_ name: String, in folder: String) -> BodySource? {
    let place = name.hasPrefix("/") ? name : folder + name
    return FileText.isReadableFile(place) && !FileText.isFolder(place) ? .file(place) : nil
  }

  /// The folder that a mapping's samples are relative to, with a slash at its end; empty for the current one.
  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[...slash])
  }
}
