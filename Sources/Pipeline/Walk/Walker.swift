package import Fetch
import JSONReading
import Mapper
package import MappingLanguage
package import PlanCompiler
import Store
import Values

/// `run`: asks for the pages of each endpoint, one after the other, and takes them in.
package struct Walker {
  private let session: RunSession
  private let transport: any Transport
  private let clock: any FetchClock
  private let limiter: RateLimiter
  private let builder: RequestBuilder
  private let retry: RetryPolicy

  /// `asksServers`: false for answers that were recorded; neither a rate limit nor a pause is due to them.
  package init(session: RunSession, transport: any Transport, clock: any FetchClock, asksServers: Bool) {
    self.session = session
    self.transport = transport
    self.clock = asksServers ? clock : InstantClock()
    let source = session.mapping.source
    let rules = source.retry
    retry = RetryPolicy(
      attempts: rules.attempts, backoff: rules.backoff == .constant ? .constant : .exponential, wait: rules.wait,
      maxWait: rules.maxWait)
    limiter = RateLimiter(
      requests: asksServers ? source.rateLimit?.requests : nil, per: source.rateLimit?.period ?? .seconds(1),
      maxWait: rules.maxWait,
      clock: self.clock)
    builder = RequestBuilder(mapping: session.mapping, scope: session.scope)
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
      _ = try builder.request(for: endpoint, paging: [])
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
    let request = try builder.request(for: endpoint, paging: [])
    let found = RouteExplanation(
      plan: session.plan, method: request.method, path: builder.pathBelowBase(request.url), status: 200)
    let others = (found.matches + found.otherStatus).map(\.endpoint)
    return others.contains(index) ? others : others + [index]
  }

  private func requestPages(of index: Int) throws(PipelineError) -> RunSession.WalkClose {
    let endpoint = session.plan.endpoints[index]
    var counter = endpoint.paginate.map { PageCounter($0, limit: session.mapping.source.limits.pages) }
    var seen: Set<BodyDigest> = []
    // Ends: the counter does, and without paging there is one request.
    while true {
      try session.checkInterruption()
      let request = try builder.request(for: endpoint, paging: counter?.parameters ?? [])
      switch try fetch(request, index: index) {
      case .ended: return .complete
      case .ignored:
        session.report(Message(.warning, "endpoint '\(endpoint.name)': the walk is partial, an answer was ignored"))
        return .partial("the walk is partial, an answer was ignored")
      case .response(let response):
        let page = Page(request: request, response: response, endpoint: index)
        let (records, answer) = try take(page, counter: counter)
        if counter != nil, records > 0, !seen.insert(BodyDigest(of: response.body)).inserted {
          throw PipelineError("endpoint '\(endpoint.name)': \(shown(request)) gave the same body as a page before")
        }
        let said = counter?.warnings.count ?? 0
        let next = counter?.next(records: records, answer: answer) ?? .end
        for warning in (counter?.warnings ?? []).dropFirst(said) {
          session.report(Message(.warning, "endpoint '\(endpoint.name)': \(shown(request)): \(warning)"))
        }
        switch next {
        case .page: continue
        case .end: return .complete
        case .bounded(let bound):
          session.report(
            Message(.warning, "endpoint '\(endpoint.name)': the walk is partial, it ends at \(bound) pages (max_pages)")
          )
          return .partial("the walk is partial, it ends at \(bound) pages (max_pages)")
        case .overLimit(let limit):
          throw PipelineError(
            "endpoint '\(endpoint.name)': there are more than \(limit) pages, the limit of the source (limits.pages)")
        case .unreadable(let reason):
          throw PipelineError("endpoint '\(endpoint.name)': \(shown(request)): \(reason)")
        case .short(let declared):
          throw PipelineError(
            "endpoint '\(endpoint.name)': the API declares \(declared) records, \(counter?.received ?? 0) came")
        }
      }
    }
  }

  /// A response on its way in.
  private struct Page {
    var request: HTTPRequest
    var response: HTTPResponse
    var endpoint: Int
  }

  private func take(
    _ page: Page, counter: PageCounter?
  ) throws(PipelineError) -> (records: Int, answer: AnswerValues) {
    let endpoint = session.plan.endpoints[page.endpoint]
    let response = page.response
    if response.status == 204 || response.status == 205 {
      session.intake.watch?.noteNothing(at: endpoint.places, of: shown(page.request))
      return (0, AnswerValues(body: nil, context: context(page)))
    }
    let format: BodyFormat
    do throws(FetchError) {
      // An empty body has no type that matters.
      format =
        response.body.count == 0
        ? BodyFormat() : try response.bodyFormat(isNDJSON: endpoint.isNDJSON, isLenient: endpoint.isLenient)
    } catch {
      throw try refused(page, BodyFailure(.text, name: "", code: error.code.rawValue, message: error.message))
    }
    return try store(page, format: format, counter: counter)
  }

  private func store(
    _ page: Page, format: BodyFormat, counter: PageCounter?
  ) throws(PipelineError) -> (records: Int, answer: AnswerValues) {
    let source = page.response.body.source
    let url = url(of: page.request)
    do {
      let inspection = try session.inspect(source, format: format, paths: counter?.bodyPaths ?? [])
      let answer = AnswerValues(body: inspection, context: context(page))
      let taken = try session.intake.take(source, format: format, context: answer.context, name: url)
      session.sayWarnings()
      return (taken.records, answer)
    } catch {
      throw try refused(page, BodyFailure(error, name: url))
    }
  }

  /// Keeps why a body was not taken, and tells it.
  private func refused(_ page: Page, _ failure: BodyFailure) throws(PipelineError) -> PipelineError {
    if case .interrupted = failure.cause { return .interrupted }
    let endpoint = session.plan.endpoints[page.endpoint]
    let excerpt =
      failure.cause.isOfText
      ? Excerpt.text(of: page.response.body.source, line: failure.line, by: session.redactor) : nil
    try record(
      page.request, status: page.response.status, course: nil, message: failure.message, endpoint: endpoint,
      attempt: 1, code: failure.code, excerpt: excerpt)
    session.sayWarnings()
    let answer = "endpoint '\(endpoint.name)': \(shown(page.request)) answered \(page.response.status)"
    return PipelineError("\(answer): \(failure.message)\(excerpt.map { "; the body begins: \($0)" } ?? "")")
  }

  /// The descriptors that the requested URL meets: the endpoint's own path is one of its patterns.
  private func context(_ page: Page) -> BodyContext {
    let endpoint = session.plan.endpoints[page.endpoint]
    let path = builder.pathBelowBase(page.request.url)
    let found = RouteExplanation(
      plan: session.plan, method: page.request.method, path: path, status: page.response.status)
    var matches = found.matches.map { BodyContext.Match(endpoint: $0.endpoint, parameters: $0.parameters) }
    if !matches.contains(where: { $0.endpoint == page.endpoint }) {
      let segments = PathPattern.segments(ofPath: Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
      matches = [
        BodyContext.Match(endpoint: page.endpoint, parameters: endpoint.patterns.first?.match(segments) ?? [])
      ]
    }
    return BodyContext(
      matches: matches, query: QueryText.parameters(of: page.request.url), url: url(of: page.request),
      status: page.response.status,
      headers: page.response.headers.map { ($0.name.lowercased(), $0.value) }, fetchedAt: Instant.now().rfc3339 ?? "",
      runID: session.runID, variables: session.variables)
  }

  // MARK: one request

  private enum Fetched {
    case response(HTTPResponse)
    /// A rule says that there are no rows here: the walk is partial.
    case ignored
    /// A rule says that the walk is complete.
    case ended
  }

  private func fetch(_ request: HTTPRequest, index: Int) throws(PipelineError) -> Fetched {
    let endpoint = session.plan.endpoints[index]
    let judge = AnswerJudge(endpoint: endpoint, plan: session.plan)
    let limits = session.mapping.source.limits
    var retrier = Retrier(policy: retry, limiter: limiter, clock: clock)
    var course = AnswerCourse.take
    var problem: PipelineError?
    let result: Retrier.Result
    do throws(FetchError) {
      result = try retrier.run(
        request, isIdempotent: request.method != "POST", by: transport,
        limits: FetchLimits(timeout: session.mapping.source.timeout, body: limits.body, ratio: limits.ratio)
      ) { response in
        let page = Page(request: request, response: response, endpoint: index)
        course = self.course(of: page, judge: judge)
        guard case .take = course.action else { return .reject(rule(of: course, page: page)) }
        return .accept
      } note: { failure in
        do throws(PipelineError) {
          try self.note(failure, request: request, course: course, endpoint: endpoint)
        } catch {
          problem = error
        }
      }
    } catch {
      if error.code == .interrupted { throw .interrupted }
      throw PipelineError("endpoint '\(endpoint.name)': \(shown(request)): \(error.message)")
    }
    if let problem { throw problem }
    switch result {
    case .response(let response): return .response(response)
    case .failure(let failure): return try end(failure, request: request, course: course, endpoint: endpoint)
    }
  }

  private func course(of page: Page, judge: AnswerJudge) -> AnswerCourse {
    let (endpoint, response) = (session.plan.endpoints[page.endpoint], page.response)
    let isExpected = endpoint.declaration.status.contains(response.status)
    var inspection: BodyInspection?
    if !isExpected || judge.looksInto(status: response.status) {
      let format = BodyFormat(isNDJSON: false, isLenient: endpoint.isLenient)
      do throws(JSONError) {
        inspection = try session.inspect(
          response.body.source, format: format, paths: judge.paths(status: response.status))
      } catch  where isExpected {
        // No rule can be held against it, so it is no success either.
        return AnswerCourse(action: .fail, message: error.message, code: error.code.rawValue, hasRule: false)
      } catch {}
    }
    return judge.course(of: AnswerValues(body: inspection, context: context(page)))
  }

  private func rule(of course: AnswerCourse, page: Page) -> RetryPolicy.Rule {
    switch course.action {
    case .take, .usual: return .usual
    case .fail, .ignore, .stop: return .final
    case .retry(let wait):
      guard let wait else { return .retry(wait: nil) }
      let text = wait.keyPath.flatMap { path -> (path: String, text: String)? in
        let body = try? session.inspect(page.response.body.source, format: BodyFormat(), paths: [path.value])
        return body?.text(of: [path.value]).map { (path.value.text, $0) }
      }
      return .retry(
        wait: ServerWait.ofRule(
          header: wait.header, value: text, fallback: wait.defaultWait, headers: page.response.headers,
          epoch: clock.epoch()))
    }
  }

  private func note(
    _ failure: Retrier.Failure, request: HTTPRequest, course: AnswerCourse, endpoint: EndpointPlan
  ) throws(PipelineError) {
    let excerpt = failure.response.flatMap { Excerpt.text(of: $0.body.source, by: session.redactor) }
    let isRetried = if case .retry = failure.decision { true } else { false }
    try record(
      request, status: failure.response?.status, course: failure.response == nil ? nil : course,
      message: failure.error?.message, endpoint: endpoint, attempt: failure.attempt,
      code: failure.error?.code.rawValue, excerpt: excerpt, action: isRetried ? "retry" : nil)
    guard case .retry(let wait) = failure.decision else { return }
    let what = failure.response.map { " answered \($0.status)" } ?? ": \(failure.error?.message ?? "no answer came")"
    session.report(
      Message(.info, "endpoint '\(endpoint.name)': \(shown(request))\(what); next try in \(wait.spoken)"))
  }

  /// The last failure: a rule may say that it is none.
  private func end(
    _ failure: Retrier.Failure, request: HTTPRequest, course: AnswerCourse, endpoint: EndpointPlan
  ) throws(PipelineError) -> Fetched {
    guard case .giveUp(let reason) = failure.decision else {
      preconditionFailure("a retrier ends with a failure that is given up")
    }
    let addition = reason.sentence.map { " (\($0))" } ?? ""
    guard let response = failure.response else {
      throw PipelineError(
        "endpoint '\(endpoint.name)': \(shown(request)): \(failure.error?.message ?? "no answer came")\(addition)")
    }
    let answer = AnswerText(
      endpoint: endpoint.name, method: request.method, url: url(of: request), status: response.status,
      course: course, excerpt: Excerpt.text(of: response.body.source, by: session.redactor))
    switch course.action {
    case .ignore:
      session.report(Message(.warning, answer.text + "; it is ignored, as its rule says"))
      return .ignored
    case .stop:
      session.report(Message(.info, answer.text + "; its rule ends the walk"))
      return .ended
    default: throw PipelineError(answer.text + addition)
    }
  }

  private func record(
    _ request: HTTPRequest, status: Int?, course: AnswerCourse?, message: String?, endpoint: EndpointPlan, attempt: Int,
    code: String? = nil, excerpt: String? = nil, action: String? = nil
  ) throws(PipelineError) {
    try session.record(
      ErrorEntry(
        endpoint: endpoint.name, method: request.method, url: url(of: request), status: status,
        code: course?.code ?? code, message: course?.message ?? message, excerpt: excerpt,
        action: action ?? course?.action.name ?? "fail", attempt: attempt))
  }

  /// The request as messages show it: method and URL.
  private func shown(_ request: HTTPRequest) -> String { "\(request.method) \(url(of: request))" }

  /// Credentials are removed.
  private func url(of request: HTTPRequest) -> String {
    session.redactor.redacted(url: request.url, credentialParams: request.credentialParams)
  }
}
