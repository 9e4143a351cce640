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

  package let lines: [Line]

  /// `path` is below the base URL; its query is left out.
  package init(plan: Plan, method: String, path: String, status: Int) {
    lines = RouteMatches.verdicts(plan, method, path, status).map { descriptor, verdict, _ in
      let endpoint = plan.endpoints[descriptor.endpoint]
      let place = endpoint.places[descriptor.place]
      let name =
        "\(endpoint.name): \(descriptor.method ?? "any method") \(descriptor.pattern) '\(place.path)' → \(place.record)"
      return Line(
        matches: verdict == .matches, endpoint: endpoint.name, name: name, reason: Self.reason(verdict, status: status))
    }
  }

  /// Why nothing takes a response: what there is, and how to name it.
  static func refusal(_ plan: Plan, method: String, path: String, status: Int) -> String {
    let lines = RouteExplanation(plan: plan, method: method, path: path, status: status).lines
    let known = lines.map { "\($0.name) (\($0.reason))" }.joined(separator: "; ")
    return "nothing matches \(method) \(path): the mapping has \(known); give the path as one of these has it, below "
      + "'base_url'"
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
