package import Diagnostics
import Fetch
package import JSONReading
package import MappingLanguage
package import PlanCompiler

/// Holds key paths against the bodies of `tests`.
///
/// A member that is absent in every body of every test that reaches its record is probably misspelt when a body has
/// another one there whose name is near, and that nothing else of the record reads. Members that are optional are normal:
/// without such a name nothing is said. Looked at are places, relationships, fields of one key path, conditions, and what
/// paging and error rules read; not what stands behind a choice. A list that is declared as one, or the other way round,
/// is told of too.
package struct SampleCheck {
  /// Bodies that are larger are passed over.
  private static let largest = 16 << 20

  private let mapping: Mapping
  private let plan: Plan
  private let read: (Located<String>) -> BodySource?
  private let recordOfName: [NameKey: Int]

  package init(mapping: Mapping, plan: Plan, read: @escaping (Located<String>) -> BodySource?) {
    (self.mapping, self.plan, self.read) = (mapping, plan, read)
    recordOfName = Dictionary(
      mapping.records.enumerated().map { (NameKey($1.name.value), $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func findings() -> [Diagnostic] {
    var probe = SampleProbe(records: mapping.records, recordOfName: recordOfName)
    for test in mapping.tests {
      // Answers that fail are routed as those that do not.
      for endpoint in endpoints(of: test, status: test.expectsError ? 200 : test.status ?? 200) {
        let format = BodyFormat(isLenient: endpoint.isLenient)
        for body in bodies(of: test, isNDJSON: endpoint.isNDJSON) {
          guard let document = try? JSONDocument(body, format: format, bound: Self.largest) else { continue }
          if test.expectsError {
            probe.look(at: document.root, of: rules(for: test, of: endpoint.declaration))
          } else {
            probe.look(at: document.root, of: endpoint.declaration)
          }
          withExtendedLifetime(document) {}
        }
      }
    }
    return probe.findings
  }

  private func rules(for test: TestDeclaration, of endpoint: EndpointDeclaration) -> [ErrorRuleDeclaration] {
    (endpoint.errors + mapping.errors).filter { $0.status?.contains(test.status ?? 200) ?? true }
  }

  /// Those that the test's bodies are routed to.
  private func endpoints(of test: TestDeclaration, status: Int) -> [EndpointPlan] {
    guard let path = test.path else {
      let named = plan.endpoints.filter { test.endpoint == nil || $0.name.isSame(as: test.endpoint?.value ?? "") }
      return named.count == 1 ? named.filter { $0.declaration.status.contains(status) } : []
    }
    let route = path.value.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let verdicts = plan.router.verdicts(
      method: test.method ?? "GET", path: PathPattern.segments(ofPath: Substring(route)), status: status)
    let indexes = Set(zip(plan.router.descriptors, verdicts).filter { $0.1 == .matches }.map(\.0.endpoint))
    return indexes.sorted().map { plan.endpoints[$0] }
  }

  /// Each line of NDJSON is a body.
  private func bodies(of test: TestDeclaration, isNDJSON: Bool) -> [BodySource] {
    guard case .files(let files) = test.body else {
      if case .inline(let text) = test.body { return [.memory(Array(text.utf8))] }
      return []
    }
    return files.flatMap { file -> [BodySource] in
      guard let source = read(file) else { return [] }
      let isOfLines = isNDJSON || [".ndjson", ".jsonl"].contains { file.value.hasSuffix($0) }
      return isOfLines ? lines(of: source) : [source]
    }
  }

  private func lines(of source: BodySource) -> [BodySource] {
    var bytes: [UInt8] = []
    // A file that cannot be read to its end is the test's matter.
    try? source.forEachPart { part in
      if bytes.count <= Self.largest { bytes += part }
    }
    guard bytes.count <= Self.largest else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).map { .memory(Array($0)) }
  }
}
