package import Fetch
package import MappingLanguage
package import PlanCompiler

/// `run`: asks for the pages of each endpoint, one after the other, and takes them in.
package struct Walker {
  let session: RunSession
  let builder: RequestBuilder
  let fetcher: PageFetcher

  /// `asksServers`: false for answers that were recorded; neither a rate limit nor a pause is due to them.
  package init(session: RunSession, transport: any Transport, clock: any FetchClock, asksServers: Bool) {
    self.session = session
    let clock = asksServers ? clock : InstantClock()
    let source = session.mapping.source
    let rules = source.retry
    builder = RequestBuilder(mapping: session.mapping, scope: session.scope)
    fetcher = PageFetcher(
      run: session.context, builder: builder, transport: transport, clock: clock,
      limiter: RateLimiter(
        requests: asksServers ? source.rateLimit?.requests : nil, per: source.rateLimit?.period ?? .seconds(1),
        maxWait: rules.maxWait, clock: clock),
      retry: RetryPolicy(
        attempts: rules.attempts, backoff: rules.backoff == .constant ? .constant : .exponential, wait: rules.wait,
        maxWait: rules.maxWait))
  }

  /// Walks the endpoints in the order written, all that are fetched or those named.
  package func walk(endpoints names: [String]?) throws(PipelineError) {
    let plan = session.plan
    try Self.check(names, in: plan)
    for (index, endpoint) in plan.endpoints.enumerated() {
      guard names?.contains(endpoint.name) ?? endpoint.declaration.isFetched else { continue }
      do throws(PipelineError) {
        try walk(index)
      } catch {
        throw session.redacted(error)
      }
    }
  }

  private static func check(_ names: [String]?, in plan: Plan) throws(PipelineError) {
    for name in names ?? [] where !plan.endpoints.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      let known = plan.endpoints.map { "'\($0.name)'" }.joined(separator: ", ")
      throw PipelineError(.refused, "no endpoint is named '\(name)'; there are \(known)")
    }
    guard names != nil || plan.endpoints.contains(where: { $0.declaration.isFetched }) else {
      throw PipelineError(.refused, "the mapping has no endpoint that is fetched")
    }
  }

  /// Builds each endpoint's first request: an endpoint that is not there, a variable or secret without a value is found
  /// before anything is asked or stored.
  package static func check(
    mapping: Mapping, plan: Plan, scope: Interpolation, endpoints names: [String]?
  ) throws(PipelineError) {
    try check(names, in: plan)
    let builder = RequestBuilder(mapping: mapping, scope: scope)
    for endpoint in plan.endpoints where names?.contains(endpoint.name) ?? endpoint.declaration.isFetched {
      let paging = endpoint.paginate.map { Pager($0, limit: mapping.source.limits.pages).ask }
      _ = try builder.request(for: endpoint, asking: paging)
    }
  }

  // MARK: one endpoint

  private func walk(_ index: Int) throws(PipelineError) {
    let endpoint = session.plan.endpoints[index]
    let identity = WalkIdentity(fetching: endpoint, mapping: session.mapping, scope: session.scope)
    try session.walk(identity, endpoints: try endpoints(answering: index)) { () throws(PipelineError) in
      try requestPages(of: index)
    }
  }

  /// Those whose places apply to the endpoint's answers: its own path is one of its patterns.
  private func endpoints(answering index: Int) throws(PipelineError) -> [Int] {
    let endpoint = session.plan.endpoints[index]
    let request = try builder.request(for: endpoint)
    let found = RouteExplanation(
      plan: session.plan, method: request.method, path: builder.routePath(of: request.url, for: endpoint), status: 200)
    let others = (found.matches + found.otherStatus).map(\.endpoint)
    return others.contains(index) ? others : others + [index]
  }
}
