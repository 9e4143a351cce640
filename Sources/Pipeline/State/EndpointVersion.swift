import MappingLanguage
import PlanCompiler

/// Tells versions of an endpoint apart, as far as it matters to what is stored of its walks: its requests, its paging, its
/// places and the records there, not comments, limits, or what other endpoints declare.
struct EndpointVersion: Sendable {
  /// What was stored under another one is not continued.
  let walk: String
  /// What was stored under another one does not serve. Error rules say what is taken for a success, too.
  let rows: String
  /// Short sums of what the walk's version is made of, by their places in the mapping.
  let parts: [String: String]

  private static let ofSource = ["base_url", "headers", "params", "lenient", "format"]
  private static let ofEndpoint = [
    "path", "method", "status", "records", "params", "headers", "body", "paginate", "incremental", "for_each",
    "lenient", "format",
  ]
  /// Of endpoints whose places apply to the same answers.
  private static let ofNeighbours = ["path", "method", "status", "records"]

  init(of endpoint: EndpointPlan, in plan: Plan, _ declared: DeclaredParts) {
    let own = declared.endpoint(endpoint.name, Self.ofEndpoint)
    let neighbours = plan.endpoints.filter { other in
      !other.name.utf8.elementsEqual(endpoint.name.utf8)
        && endpoint.patterns.contains { pattern in other.patterns.contains(where: pattern.overlaps) }
    }
    let others = neighbours.flatMap { declared.endpoint($0.name, Self.ofNeighbours) }
    let places = declared.endpoint(endpoint.name, ["records"]) + others
    let request = declared.source(Self.ofSource) + own + others
    let records = declared.records(namedIn: places)
    let all = request + records + declared.variables(usedIn: request + records)
    let rules = declared.endpoint(endpoint.name, ["errors"]) + [declared.errors]
    (walk, rows) = (Self.digest(all), Self.digest(all + rules))
    parts = Dictionary(
      all.map { ($0.name, String(BodyDigest(of: $0.text).text.prefix { $0 != "-" })) },
      uniquingKeysWith: { first, _ in first })
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
  private var known: [Int: EndpointVersion] = [:]

  init(_ plan: Plan, _ declared: DeclaredParts) { (self.plan, self.declared) = (plan, declared) }

  subscript(_ endpoint: Int) -> EndpointVersion {
    if let version = known[endpoint] { return version }
    let version = EndpointVersion(of: plan.endpoints[endpoint], in: plan, declared)
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
