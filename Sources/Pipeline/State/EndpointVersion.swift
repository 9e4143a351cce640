import Fetch
import MappingLanguage
import PlanCompiler

/// Tells versions of an endpoint apart, as far as it matters to what is stored of its walks: its requests and who makes them,
/// its paging, its places and the records there, what it takes for an error, and the values of variables in all this; not
/// comments, limits, or what other endpoints declare.
struct EndpointVersion: Sendable {
  /// What was stored under another one is not continued, and does not serve.
  let text: String
  /// Short sums of what it is made of, by their places in the mapping.
  let parts: [String: String]
  /// Of what is declared, and of the values behind it.
  private let declaration: String

  private static let ofSource = ["base_url", "headers", "params", "lenient", "format"]
  private static let ofEndpoint = [
    "path", "method", "status", "records", "params", "headers", "body", "paginate", "incremental", "for_each",
    "lenient", "format",
  ]
  /// Of endpoints whose places apply to the same answers.
  private static let ofNeighbours = ["path", "method", "status", "records"]

  init(of endpoint: EndpointPlan, in plan: Plan, _ declared: DeclaredParts, _ values: EndpointVersions.Values?) {
    let own = declared.endpoint(endpoint.name, Self.ofEndpoint)
    let neighbours = plan.endpoints.filter { other in
      !other.name.utf8.elementsEqual(endpoint.name.utf8)
        && endpoint.patterns.contains { pattern in other.patterns.contains(where: pattern.overlaps) }
    }
    let others = neighbours.flatMap { declared.endpoint($0.name, Self.ofNeighbours) }
    let places = declared.endpoint(endpoint.name, ["records"]) + others
    let rules = declared.endpoint(endpoint.name, ["errors"]) + [declared.errors]
    let request = declared.source(Self.ofSource) + declared.login + own + others + rules
    let records = declared.records(namedIn: places)
    let variables = declared.variables(usedIn: request + records)
    let all = request + records + variables
    declaration = Self.digest(all)
    let used = values?.text(
      of: variables.map { String($0.name.dropFirst("variables.".count)) },
      environment: declared.environmentNames(usedIn: all))
    text = declaration + " " + BodyDigest(of: used ?? "").text
    parts = Dictionary(
      all.map { ($0.name, String(BodyDigest(of: $0.text).text.prefix { $0 != "-" })) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Is it the same mapping, whatever the values of its variables?
  func isDeclared(as kept: String?) -> Bool {
    guard let kept else { return false }
    return kept.utf8.prefix { $0 != UInt8(ascii: " ") }.elementsEqual(declaration.utf8)
  }

  private static func digest(_ parts: [DeclaredParts.Part]) -> String {
    let sorted = parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return BodyDigest(of: sorted.map { "\($0.name)=\($0.text)" }.joined(separator: "\n")).text
  }

  /// Which parts are others than those that were kept, in words; nil when that is not known.
  func changes(since kept: StateRecord?) -> String? {
    guard let kept, !kept.isEmpty else { return nil }
    let names = Set(parts.keys).union(kept.names).filter { kept[$0] != parts[$0] }.sorted()
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    return shown + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// The parts, to be kept.
  var kept: String {
    var record = StateRecord()
    for (name, sum) in parts { record[name] = sum }
    return record.text
  }
}

/// The versions of all endpoints, each made when it is first asked for: in a large mapping that takes its time.
final class EndpointVersions {
  private let plan: Plan
  private let declared: DeclaredParts
  private let values: Values?
  private var known: [Int: EndpointVersion] = [:]

  /// What variables stand for in a run; secrets in it are replaced.
  struct Values {
    let scope: Interpolation
    let redactor: Redactor

    func text(of names: [String], environment: Set<String>) -> String {
      let used = scope.variables.filter { variable in
        names.contains { $0.utf8.elementsEqual(variable.name.utf8) }
      }
      let variables = used.compactMap { variable in variable.value.map { (variable.name, $0) } }
      let outer = environment.sorted().map { [$0, redactor.redact(scope.environment($0) ?? "")] }
      return ArchivedValues.text(of: variables, by: redactor) + ArchivedValues.json(outer)
    }
  }

  /// Without `values` versions tell declarations apart.
  init(_ plan: Plan, _ declared: DeclaredParts, values: Values? = nil) {
    (self.plan, self.declared, self.values) = (plan, declared, values)
  }

  subscript(_ endpoint: Int) -> EndpointVersion {
    if let version = known[endpoint] { return version }
    let version = EndpointVersion(of: plan.endpoints[endpoint], in: plan, declared, values)
    known[endpoint] = version
    return version
  }
}

extension PathPattern {
  /// Is there a path that fits both?
  fileprivate func overlaps(_ other: PathPattern) -> Bool {
    for (mine, others) in zip(segments, other.segments) {
      switch (mine, others) {
      case (.rest, _), (_, .rest): return true
      case (.literal(let a), .literal(let b)) where a != b: return false
      default: continue
      }
    }
    return segments.count == other.segments.count
  }
}
