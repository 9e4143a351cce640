import Diagnostics
import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Store
import Values

/// What is to be kept or said of a request, by whoever owns the store and the console.
enum FetchNote: Sendable {
  case error(ErrorEntry)
  /// An error rule fits the answer.
  case rule(SourceSpan)
  case message(Message)
  /// A refresh token that the source remembers from now on. Whoever is told returns when it is on the disk, whatever
  /// becomes of the walk: the request that goes on then may make the one before worthless.
  case state(name: String, value: String)
  /// Whoever is told has answered it when they return.
  case recall(Recollection)
}

/// Gets one answer after the other: tries again, judges by the error rules. It stores nothing.
struct PageFetcher {
  enum Fetched {
    case page(Page)
    /// A rule says that there are no rows here: the walk is partial.
    case ignored
    /// A rule says that the walk is complete.
    case ended
  }

  let run: RunContext
  var builder: RequestBuilder
  let transport: any Transport
  let clock: any FetchClock
  let limiter: RateLimiter
  let retry: RetryPolicy
  /// Nil where nobody is asked: answers were recorded.
  let authority: RunAuthority?
  /// What tokens are asked for by; nil: by the same means as pages.
  var tokenMeans: TokenMeans?

  /// `isConditional`: the request has validators, so a 304 is what was asked for. What `note` is told comes in the order in
  /// which it happened.
  func fetch(
    _ request: HTTPRequest, endpoint index: Int, isConditional: Bool = false,
    note: @escaping (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Fetched {
    var round = FetchRound(request: request, endpoint: run.plan.endpoints[index], isConditional: isConditional)
    let notes = NoteTaker(note)
    var sending = AuthorizedSending(authority, tokens(for: round.endpoint, notes))
    // Ends: a token is renewed once.
    while true {
      switch try tries(&round, &sending, index, notes) {
      case .response(let response):
        return .page(Page(request: request, response: response, endpoint: index, fetchedAt: .now()))
      case .failure(let failure):
        guard round.isRenewing else { return try end(failure, round, note: note) }
        try renew(&round, by: sending, failure, notes)
      }
    }
  }

  private func tokens(for endpoint: EndpointPlan, _ notes: NoteTaker) -> TokenFetcher {
    let limits = run.mapping.source.limits
    return TokenFetcher(
      run: run, endpoint: endpoint.name, transport: transport, clock: clock, limiter: limiter, retry: retry,
      limits: FetchLimits(timeout: run.mapping.source.timeout, body: limits.body, ratio: limits.ratio), notes: notes,
      means: tokenMeans)
  }

  /// The tries of a request until one is taken, or none is left.
  private func tries(
    _ round: inout FetchRound, _ sending: inout AuthorizedSending, _ index: Int, _ notes: NoteTaker
  ) throws(PipelineError) -> Retrier.Result {
    var retrier = Retrier(policy: retry, limiter: limiter, clock: clock)
    let request = round.request
    let judge = AnswerJudge(endpoint: round.endpoint, plan: run.plan)
    round.course = .take
    return try notes.run { () throws(FetchError) in
      try retrier.run(isIdempotent: mayRepeat(request, round.endpoint)) { response in
        if round.isConditional, response.status == 304 { return .accept }
        let page = Page(request: request, response: response, endpoint: index, fetchedAt: .now())
        round.course = self.course(of: page, judge: judge)
        guard case .take = round.course.action else { return .reject(rule(of: round.course, page: page)) }
        return .accept
      } note: { failure in
        round.isRenewing = canRenew(after: failure, round)
        if failure.response != nil, let rule = round.course.rule { notes.tell([.rule(rule)]) }
        notes.tell(self.notes(failure, round))
      } send: { () throws(FetchError) in
        try notes.throwProblem()
        return try sending.send(request)
      }
    } failing: { error in
      PipelineError("endpoint '\(round.endpoint.name)': \(run.shown(request)): \(error.message)")
    }
  }

  // MARK: another token

  /// A 401 to which no rule says otherwise, or a rule's own word, once for each request.
  private func canRenew(after failure: Retrier.Failure, _ round: FetchRound) -> Bool {
    guard let response = failure.response, !round.hasRenewed, authority?.tokens != nil,
      authority?.isHome(round.request.url) ?? false
    else { return false }
    switch round.course.action {
    case .usual: return response.status == 401
    case .refreshAuth: return true
    case .take, .fail, .retry, .ignore, .stop: return false
    }
  }

  private func renew(
    _ round: inout FetchRound, by sending: AuthorizedSending, _ failure: Retrier.Failure, _ notes: NoteTaker
  ) throws(PipelineError) {
    (round.isRenewing, round.hasRenewed) = (false, true)
    round.earlierTries += failure.attempt
    let (name, request) = (round.endpoint.name, round.request)
    try notes.run { () throws(FetchError) in
      try sending.renew()
    } failing: { error in
      PipelineError("endpoint '\(name)': \(run.shown(request)): no token: \(error.message)")
    }
  }

  /// What a POST or PATCH does may be done twice when it is sent again.
  private func mayRepeat(_ request: HTTPRequest, _ endpoint: EndpointPlan) -> Bool {
    endpoint.declaration.isIdempotent || !["POST", "PATCH"].contains(request.method)
  }

  private func course(of page: Page, judge: AnswerJudge) -> AnswerCourse {
    let (endpoint, response) = (run.plan.endpoints[page.endpoint], page.response)
    if judge.takes(status: response.status) { return .take }
    let isExpected = endpoint.declaration.status.contains(response.status)
    var inspection: BodyInspection?
    if !isExpected || judge.looksInto(status: response.status) {
      let format = BodyFormat(isNDJSON: false, isLenient: endpoint.isLenient)
      do throws(JSONError) {
        inspection = try run.inspect(
          response.body.source, format: format, paths: judge.paths(status: response.status))
      } catch  where isExpected {
        // No rule can be held against it, so it is no success either.
        return AnswerCourse(action: .fail, message: error.message, code: error.code.rawValue)
      } catch {}
    }
    return judge.course(of: AnswerValues(body: inspection, context: page.context(run, builder)))
      .redacted(by: run.redactor)
  }

  private func rule(of course: AnswerCourse, page: Page) -> RetryPolicy.Rule {
    switch course.action {
    case .take, .usual: return .usual
    case .fail, .ignore, .stop, .refreshAuth: return .final
    case .retry(let wait):
      guard let wait else { return .retry(wait: nil) }
      let text = wait.keyPath.flatMap { path -> (path: String, text: String)? in
        let body = try? run.inspect(page.response.body.source, format: BodyFormat(), paths: [path.value])
        return body?.text(of: [path.value]).map { (path.value.text, $0) }
      }
      return .retry(
        wait: ServerWait.ofRule(
          header: wait.header, value: text, fallback: wait.defaultWait, headers: page.response.headers,
          epoch: clock.epoch()))
    }
  }

  private func notes(_ failure: Retrier.Failure, _ round: FetchRound) -> [FetchNote] {
    // What went wrong on the way to a token has been told.
    if failure.error?.code == .auth { return [] }
    let (request, endpoint) = (round.request, round.endpoint)
    let isRetried = if case .retry = failure.decision { true } else { false }
    // Without an answer no rule has been asked.
    let judged = failure.response == nil ? nil : round.course
    let course = round.isRenewing ? "refresh_auth" : judged?.action.name ?? "fail"
    let entry = ErrorEntry(
      endpoint: endpoint.name, method: request.method, url: run.shownURL(of: request), status: failure.response?.status,
      code: judged?.code ?? failure.error?.code.rawValue, message: judged?.message ?? failure.error?.message,
      excerpt: failure.response.flatMap { Excerpt.text(of: $0.body.source, by: run.redactor) },
      action: isRetried ? "retry" : course, attempt: round.earlierTries + failure.attempt)
    if round.isRenewing {
      let text = "endpoint '\(endpoint.name)': \(run.shown(request)) answered \(failure.response?.status ?? 0)"
      return [.error(entry), .message(Message(.info, "\(text); the token is renewed"))]
    }
    guard case .retry(let wait) = failure.decision else { return [.error(entry)] }
    let what = failure.response.map { " answered \($0.status)" } ?? ": \(failure.error?.message ?? "no answer came")"
    let text = "endpoint '\(endpoint.name)': \(run.shown(request))\(what); next try in \(wait.spoken)"
    return [.error(entry), .message(Message(.info, text))]
  }

  /// The last failure: a rule may say that it is none.
  private func end(
    _ failure: Retrier.Failure, _ round: FetchRound, note: @escaping (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Fetched {
    let (request, endpoint, course) = (round.request, round.endpoint, round.course)
    guard case .giveUp(let reason) = failure.decision else {
      preconditionFailure("a retrier ends with a failure that is given up")
    }
    let addition = reason.sentence.map { " (\($0))" } ?? ""
    guard let response = failure.response else {
      let problem = failure.error?.message ?? "no answer came"
      let what = failure.error?.code == .auth ? "no token: \(problem)" : problem + addition
      throw PipelineError("endpoint '\(endpoint.name)': \(run.shown(request)): \(what)")
    }
    let remark = authority?.remark(on: response).map { " (\($0))" } ?? ""
    var answer = AnswerText(
      endpoint: endpoint.name, method: request.method, url: run.shownURL(of: request), status: response.status,
      course: course, excerpt: Excerpt.text(of: response.body.source, by: run.redactor))
    answer.redirectedURL = response.redirectedURL.map(run.redactor.redact)
    answer.isUnasked304 = response.status == 304 && !round.isConditional && !request.isConditional
    switch course.action {
    case .ignore:
      try note(.message(Message(.warning, answer.text + "; it is ignored, as its rule says")))
      return .ignored
    case .stop:
      try note(.message(Message(.info, answer.text + "; its rule ends the walk")))
      return .ended
    default:
      let advice = course.hasRule || !remark.isEmpty ? nil : advice(on: response.status, to: request, endpoint)
      throw PipelineError(answer.text + addition + remark + (advice.map { "; \($0)" } ?? ""))
    }
  }

  /// What to do about a status that nobody has made a rule for.
  private func advice(on status: Int, to request: HTTPRequest, _ endpoint: EndpointPlan) -> String? {
    let hasCredential =
      builder.mapping.source.auth != nil || !request.credentialParams.isEmpty
      || request.headers.contains(where: \.isCredential)
    return switch status {
    case 401 where hasCredential: "the request's credential is wrong or has expired: renew it"
    case 401: "the mapping gives no credential ('auth'): does the API want one?"
    case 403 where hasCredential: "the request's credential may not do this: ask for the right to it"
    case 403: "the API may want a credential ('auth')"
    case 404 where endpoint.forEach != nil:
      "if some may be gone, let the endpoint pass over them: errors: [{status: 404, action: ignore}]"
    case 404: "look at 'base_url' and 'path'"
    default: nil
    }
  }
}

/// A request on its way to an answer.
struct FetchRound {
  let request: HTTPRequest
  let endpoint: EndpointPlan
  /// It has validators: a 304 is what was asked for.
  let isConditional: Bool
  /// What the rules say of the last answer.
  var course = AnswerCourse.take
  /// The last answer says that the token is not good any more, and another is to be got.
  var isRenewing = false
  var hasRenewed = false
  /// Tries with the token before.
  var earlierTries = 0

  init(request: HTTPRequest, endpoint: EndpointPlan, isConditional: Bool) {
    self.request = request
    self.endpoint = endpoint
    self.isConditional = isConditional
  }
}

extension HTTPRequest {
  /// The mapping's own headers may ask for an answer on a condition, too.
  fileprivate var isConditional: Bool {
    headers.contains { header in ["If-None-Match", "If-Modified-Since"].contains(where: header.isNamed) }
  }
}
