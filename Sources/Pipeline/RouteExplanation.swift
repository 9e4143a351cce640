package import PlanCompiler

/// What each descriptor makes of a response: `ingest route`, and the reason when nothing matches.
package struct RouteExplanation: Sendable {
  package struct Line: Sendable, Hashable {
    package var matches: Bool
    package var endpoint: String
    /// The descriptor: `items: any method /items 'items' → Item`
    package var name: String
    /// What becomes of it.
    package var reason: String

    package var text: String { "\(name): \(reason)" }
  }

  package private(set) var lines: [Line] = []
  /// Endpoints whose pattern and method fit, with the parameters of their paths: those that match, first written first.
  package private(set) var matches: [(endpoint: Int, parameters: [RouteParameter])] = []
  /// Endpoints that fit but for the status.
  package private(set) var otherStatus: [(endpoint: Int, parameters: [RouteParameter])] = []

  /// `path` is below the base URL; its query is left out.
  package init(plan: Plan, method: String, path: String, status: Int) {
    let route = path.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let segments = PathPattern.segments(ofPath: Substring(route))
    let verdicts = plan.router.verdicts(method: method, path: segments, status: status)
    for (descriptor, verdict) in zip(plan.router.descriptors, verdicts) {
      let endpoint = plan.endpoints[descriptor.endpoint]
      let place = endpoint.places[descriptor.place]
      let reason = Self.reason(verdict, status: status)
      let name =
        "\(endpoint.name): \(descriptor.method ?? "any method") \(descriptor.pattern) '\(place.path)' → \(place.record)"
      lines.append(Line(matches: verdict == .matches, endpoint: endpoint.name, name: name, reason: reason))
      let parameters = descriptor.pattern.match(segments) ?? []
      switch verdict {
      case .matches: Self.add(descriptor.endpoint, parameters, to: &matches)
      case .otherStatus: Self.add(descriptor.endpoint, parameters, to: &otherStatus)
      default: break
      }
    }
  }

  private static func add(
    _ endpoint: Int, _ parameters: [RouteParameter], to list: inout [(endpoint: Int, parameters: [RouteParameter])]
  ) {
    if !list.contains(where: { $0.endpoint == endpoint }) { list.append((endpoint, parameters)) }
  }

  private static func reason(_ verdict: Router.Verdict, status: Int) -> String {
    switch verdict {
    case .matches: "matches"
    case .otherPath: "another path"
    case .otherMethod(let wanted): "another method: it takes \(wanted)"
    case .otherStatus: "another status than \(status)"
    case .lessSpecific(let other): "'\(other)' is more specific"
    }
  }
}
