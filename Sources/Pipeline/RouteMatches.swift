import PlanCompiler

/// The endpoints that a response meets.
struct RouteMatches {
  typealias Match = (endpoint: Int, parameters: [RouteParameter])

  /// Those whose pattern, method and status fit, with the parameters of their paths: first written first.
  private(set) var matches: [Match] = []
  /// Those that fit but for the status.
  private(set) var otherStatus: [Match] = []

  /// `path` is below the base URL; its query is left out.
  init(plan: Plan, method: String, path: String, status: Int) {
    for (descriptor, verdict, segments) in Self.verdicts(plan, method, path, status) {
      switch verdict {
      case .matches: Self.add(descriptor, segments, to: &matches)
      case .otherStatus: Self.add(descriptor, segments, to: &otherStatus)
      case .otherPath, .otherMethod, .lessSpecific: continue
      }
    }
  }

  private static func add(_ descriptor: ResponseDescriptor, _ segments: [[UInt8]], to list: inout [Match]) {
    guard !list.contains(where: { $0.endpoint == descriptor.endpoint }) else { return }
    list.append((descriptor.endpoint, descriptor.pattern.match(segments) ?? []))
  }

  /// What each descriptor makes of the response, and the segments of its path.
  static func verdicts(
    _ plan: Plan, _ method: String, _ path: String, _ status: Int
  ) -> [(descriptor: ResponseDescriptor, verdict: Router.Verdict, segments: [[UInt8]])] {
    let route = path.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let segments = PathPattern.segments(ofPath: Substring(route))
    let verdicts = plan.router.verdicts(method: method, path: segments, status: status)
    return zip(plan.router.descriptors, verdicts).map { ($0, $1, segments) }
  }
}
