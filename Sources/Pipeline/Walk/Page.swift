import Fetch
import Mapper
import PlanCompiler
import Values

/// An answer to a request of a walk, on its way in.
struct Page: Sendable {
  var request: HTTPRequest
  var response: HTTPResponse
  /// Index into `Plan.endpoints`.
  var endpoint: Int
  /// When the answer was there.
  var fetchedAt: Instant

  /// The descriptors that the requested URL meets: the endpoint's own path is one of its patterns.
  func context(_ run: RunContext, _ builder: RequestBuilder) -> BodyContext {
    let own = run.plan.endpoints[endpoint]
    let path = builder.routePath(of: request.url, for: own)
    let found = RouteMatches(plan: run.plan, method: request.method, path: path, status: response.status)
    var matches = found.matches.map { BodyContext.Match(endpoint: $0.endpoint, parameters: $0.parameters) }
    if !matches.contains(where: { $0.endpoint == endpoint }) {
      let segments = PathPattern.segments(ofPath: Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
      let parameters = own.patterns.lazy.compactMap { $0.match(segments) }.first
      matches = [BodyContext.Match(endpoint: endpoint, parameters: parameters ?? [])]
    }
    var context = BodyContext(
      matches: matches, query: QueryText.parameters(of: request.url), url: run.shownURL(of: request),
      status: response.status, headers: response.headers.map { ($0.name.lowercased(), $0.value) },
      fetchedAt: fetchedAt.rfc3339 ?? "", runID: run.runID, variables: run.variables)
    if response.isRecorded {
      context.redaction = Redaction(mark: Array(Redactor.mark.utf8), isInBody: response.isRedacted)
    }
    // It may have waited for its turn.
    context.ingestedAt = Instant.now().rfc3339
    return context
  }
}
