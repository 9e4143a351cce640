package import Fetch
package import MappingLanguage
package import PlanCompiler
import Store
import Values

/// `run`: the walks of each endpoint, in their order.
package struct Walker {
  let session: RunSession
  let fetcher: PageFetcher
  let options: WalkOptions
  let versions: EndpointVersions
  /// Nil where one request is made at a time.
  private let supply: FetchSupply?

  /// `asksServers`: false for answers that were recorded; neither a rate limit nor a pause is due to them. `supply`: what
  /// fetches when the mapping allows more than one request at a time; without it there is one.
  package init(
    session: RunSession, transport: any Transport, clock: any FetchClock, asksServers: Bool,
    supply: FetchSupply? = nil, options: WalkOptions = WalkOptions()
  ) throws(PipelineError) {
    self.session = session
    self.options = options
    self.supply = asksServers && session.mapping.source.concurrency > 1 ? supply : nil
    versions = EndpointVersions(
      session.plan, session.mapping.declared, values: .init(scope: session.scope, redactor: session.redactor))
    let clock: any FetchClock =
      asksServers ? WatchedClock(clock: clock, progress: session.context.progress, walk: { nil }) : InstantClock()
    let source = session.mapping.source
    let rules = source.retry
    let authority = asksServers ? try Self.authority(of: session, clock: clock) : nil
    fetcher = PageFetcher(
      run: session.context, builder: RequestBuilder(mapping: session.mapping, scope: session.scope),
      transport: transport, clock: clock,
      limiter: RateLimiter(
        requests: asksServers ? source.rateLimit?.requests : nil, per: source.rateLimit?.period ?? .seconds(1),
        maxWait: rules.maxWait, clock: clock),
      retry: RetryPolicy(
        attempts: rules.attempts, backoff: rules.backoff == .constant ? .constant : .exponential, wait: rules.wait,
        maxWait: rules.maxWait),
      authority: authority, tokenMeans: try Self.tokenMeans(authority, supply, session.context))
  }

  private static func tokenMeans(
    _ authority: RunAuthority?, _ supply: FetchSupply?, _ run: RunContext
  ) throws(PipelineError) -> TokenMeans? {
    guard let supply, authority?.tokens != nil else { return nil }
    do throws(FetchError) {
      return try TokenMeans(supply, run)
    } catch {
      throw PipelineError(error.message)
    }
  }

  private static func authority(of session: RunSession, clock: any FetchClock) throws(PipelineError) -> RunAuthority {
    let authority = try RunAuthority(session.context, clock: clock)
    for warning in authority.warnings { session.report(Message(.warning, warning)) }
    return authority
  }

  /// Walks all endpoints that are fetched, or those named: parents of `for_each` first, else in the order written.
  package func walk(endpoints names: [String]?) throws(PipelineError) {
    do throws(PipelineError) {
      try Self.check(names, in: session.plan)
      try walkAll(session.plan.order.filter { Self.isSelected(session.plan.endpoints[$0], names) })
    } catch {
      throw session.redacted(error)
    }
  }

  private static func isSelected(_ endpoint: EndpointPlan, _ names: [String]?) -> Bool {
    names?.contains { $0.utf8.elementsEqual(endpoint.name.utf8) } ?? endpoint.declaration.isFetched
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
    mapping: Mapping, plan: Plan, scope: Interpolation, endpoints names: [String]?, asksServers: Bool = true
  ) throws(PipelineError) {
    try check(names, in: plan)
    if asksServers {
      _ = try RunAuthority(mapping: mapping, scope: scope, redactor: Redactor(), clock: InstantClock())
    }
    for endpoint in plan.endpoints where isSelected(endpoint, names) {
      var scope = scope
      // Any value will do for what a parent will give.
      scope.each = endpoint.boundNames.map { ($0, .text("x")) }
      let paging = endpoint.paginate.map { Pager($0, limit: mapping.source.limits.pages).ask }
      _ = try RequestBuilder(mapping: mapping, scope: scope).request(for: endpoint, asking: paging)
    }
  }

  // MARK: endpoints

  private func walkAll(_ selected: [Int]) throws(PipelineError) {
    let names = selected.map { session.plan.endpoints[$0].name }
    let series = try noting { () throws(StoreError) in
      try checkParents(of: selected)
      return try RunSeries(
        session.context, session.store, selection: names, now: fetcher.clock.epoch(), isFull: options.isFull)
    }
    let failed: [String]
    do throws(PipelineError) {
      failed = try walkAll(of: selected, in: series)
    } catch {
      // A run that was cut is continued by the next one; one that failed has come to its end.
      if error.kind != .interrupted { session.closing = series.ending }
      throw error
    }
    session.closing = series.ending
    guard failed.isEmpty else {
      throw PipelineError("failed: \(failed.map { "'\($0)'" }.joined(separator: ", ")); see above")
    }
  }

  /// A condition that SQL does not understand is found before anything is asked.
  private func checkParents(of selected: [Int]) throws(StoreError) {
    for case .rows(let rows)? in selected.map({ session.plan.endpoints[$0].forEach }) {
      var query = rows.query
      query.condition = "(\(query.condition ?? "1")) AND 0"
      _ = try session.store.parents(query)
    }
  }

  /// The endpoints of which a walk failed, and the others went on.
  private func walkAll(of selected: [Int], in series: RunSeries) throws(PipelineError) -> [String] {
    let pool = supply.map {
      FetchPool(fetcher, $0, concurrency: session.mapping.source.concurrency) { [session] note throws(PipelineError) in
        try session.keep(note)
      }
    }
    let schedule = WalkSchedule(self, endpoints: selected, series: series, pool: pool)
    pool?.lookAhead = { [weak schedule] in schedule?.lookAhead() ?? false }
    do throws(PipelineError) {
      let failed = try walkAll(on: schedule, pool)
      try pool?.close()
      return failed
    } catch {
      // Why the run failed is the news.
      try? pool?.close()
      throw error
    }
  }

  private func walkAll(on schedule: WalkSchedule, _ pool: FetchPool?) throws(PipelineError) -> [String] {
    var failed: [String] = []
    while let entry = try schedule.next() {
      do throws(PipelineError) {
        if try !take(entry, pool) { try schedule.drop(entry.walk) }
      } catch {
        // Why the walk failed is the news.
        try? schedule.drop(entry.walk)
        let endpoint = session.plan.endpoints[entry.endpoint]
        guard error.kind == .failed, endpoint.declaration.onFailure != .fail else { throw error }
        if let walk = entry.turn.walk, try serves(walk, after: error) { continue }
        session.report(Message(.error, session.redacted(error).message))
        if !failed.contains(where: { $0.utf8.elementsEqual(endpoint.name.utf8) }) { failed.append(endpoint.name) }
      }
    }
    return failed
  }

  /// False when nothing more of its walk is wanted.
  private func take(_ entry: WalkSchedule.Entry, _ pool: FetchPool?) throws(PipelineError) -> Bool {
    let endpoint = session.plan.endpoints[entry.endpoint]
    switch entry.turn {
    case .piece(let piece, let ahead):
      try session.checkInterruption()
      return try run(piece, ahead: ahead, pool)
    case .unplanned(_, let error): throw error
    case .passed(let reason): session.report(Message(.info, "endpoint '\(endpoint.name)': \(reason)"))
    case .over(let walks, let nulls):
      session.context.progress.end(endpoint.name)
      if endpoint.forEach != nil { session.report(Message(.info, Self.spoken(endpoint, walks: walks, nulls: nulls))) }
    }
    return true
  }

  private static func spoken(_ endpoint: EndpointPlan, walks: Int, nulls: Int) -> String {
    var text = "endpoint '\(endpoint.name)': \(walks) \(walks == 1 ? "walk" : "walks")"
    if case .rows(let rows)? = endpoint.forEach {
      text += " for rows of '\(rows.record)'"
      if nulls > 0 { text += "; \(nulls) \(nulls == 1 ? "row has" : "rows have") none, for a null in 'bind'" }
    }
    return text
  }

  /// `on_failure: stored`: the rows of the last complete walk are kept, if there was one.
  private func serves(_ walk: Walk, after error: PipelineError) throws(PipelineError) -> Bool {
    guard session.plan.endpoints[walk.endpoint].declaration.onFailure == .stored else { return false }
    let memory = memory(of: walk)
    guard try noting({ () throws(StoreError) in try memory.completion() }) != nil else { return false }
    session.report(
      Message(.warning, "\(session.redacted(error).message); what is stored is kept (on_failure: stored)"))
    return true
  }

  /// What the store has against it is a failure of the run.
  func noting<Result>(_ body: () throws(StoreError) -> Result) throws(PipelineError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw PipelineError(error, error.message)
    }
  }
}
