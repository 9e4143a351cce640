import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Store

/// What is to be kept or said of a request, by whoever owns the store and the console.
enum FetchNote: Sendable {
  case error(ErrorEntry)
  case message(Message)
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

  /// `isConditional`: the request has validators, so a 304 is what was asked for. What `note` is told comes in the order in which it happened.
  func fetch(
    _ request: HTTPRequest, endpoint index: Int, isConditional: Bool = false,
    note: (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Fetched {
    let endpoint = run.plan.endpoints[index]
    let judge = AnswerJudge(endpoint: endpoint, plan: run.plan)
    let limits = run.mapping.source.limits
    var retrier = Retrier(policy: retry, limiter: limiter, clock: clock)
    var course = AnswerCourse.take
    var problem: PipelineError?
    let result: Retrier.Result
    do throws(FetchError) {
      result = try retrier.run(
        request, isIdempotent: mayRepeat(request, endpoint), by: transport,
        limits: FetchLimits(timeout: run.mapping.source.timeout, body: limits.body, ratio: limits.ratio)
      ) { response in
        if isConditional, response.status == 304 { return .accept }
        let page = Page(request: request, response: response, endpoint: index)
        course = self.course(of: page, judge: judge)
        guard case .take = course.action else { return .reject(rule(of: course, page: page)) }
        return .accept
      } note: { failure in
        do throws(PipelineError) {
          for said in self.notes(failure, request: request, course: course, endpoint: endpoint) { try note(said) }
        } catch {
          problem = error
        }
      }
    } catch {
      if error.code == .interrupted { throw .interrupted }
      throw PipelineError("endpoint '\(endpoint.name)': \(run.shown(request)): \(error.message)")
    }
    if let problem { throw problem }
    switch result {
    case .response(let response): return .page(Page(request: request, response: response, endpoint: index))
    case .failure(let failure):
      return try end(failure, request: request, course: course, endpoint: endpoint, note: note)
    }
  }

  /// What a POST or PATCH does may be done twice when it is sent again.
  private func mayRepeat(_ request: HTTPRequest, _ endpoint: EndpointPlan) -> Bool {
    endpoint.declaration.isIdempotent || !["POST", "PATCH"].contains(request.method)
  }

  private func course(of page: Page, judge: AnswerJudge) -> AnswerCourse {
    let (endpoint, response) = (run.plan.endpoints[page.endpoint], page.response)
    let isExpected = endpoint.declaration.status.contains(response.status)
    var inspection: BodyInspection?
    if !isExpected || judge.looksInto(status: response.status) {
      let format = BodyFormat(isNDJSON: false, isLenient: endpoint.isLenient)
      do throws(JSONError) {
        inspection = try run.inspect(
          response.body.source, format: format, paths: judge.paths(status: response.status))
      } catch  where isExpected {
        // No rule can be held against it, so it is no success either.
        return AnswerCourse(action: .fail, message: error.message, code: error.code.rawValue, hasRule: false)
      } catch {}
    }
    return judge.course(of: AnswerValues(body: inspection, context: page.context(run, builder)))
  }

  private func rule(of course: AnswerCourse, page: Page) -> RetryPolicy.Rule {
    switch course.action {
    case .take, .usual: return .usual
    case .fail, .ignore, .stop: return .final
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

  private func notes(
    _ failure: Retrier.Failure, request: HTTPRequest, course: AnswerCourse, endpoint: EndpointPlan
  ) -> [FetchNote] {
    let isRetried = if case .retry = failure.decision { true } else { false }
    // Without an answer no rule has been asked.
    let judged = failure.response == nil ? nil : course
    let entry = ErrorEntry(
      endpoint: endpoint.name, method: request.method, url: run.shownURL(of: request), status: failure.response?.status,
      code: judged?.code ?? failure.error?.code.rawValue, message: judged?.message ?? failure.error?.message,
      excerpt: failure.response.flatMap { Excerpt.text(of: $0.body.source, by: run.redactor) },
      action: isRetried ? "retry" : judged?.action.name ?? "fail", attempt: failure.attempt)
    guard case .retry(let wait) = failure.decision else { return [.error(entry)] }
    let what = failure.response.map { " answered \($0.status)" } ?? ": \(failure.error?.message ?? "no answer came")"
    let text = "endpoint '\(endpoint.name)': \(run.shown(request))\(what); next try in \(wait.spoken)"
    return [.error(entry), .message(Message(.info, text))]
  }

  /// The last failure: a rule may say that it is none.
  private func end(
    _ failure: Retrier.Failure, request: HTTPRequest, course: AnswerCourse, endpoint: EndpointPlan,
    note: (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> Fetched {
    guard case .giveUp(let reason) = failure.decision else {
      preconditionFailure("a retrier ends with a failure that is given up")
    }
    let addition = reason.sentence.map { " (\($0))" } ?? ""
    guard let response = failure.response else {
      throw PipelineError(
        "endpoint '\(endpoint.name)': \(run.shown(request)): \(failure.error?.message ?? "no answer came")\(addition)")
    }
    let answer = AnswerText(
      endpoint: endpoint.name, method: request.method, url: run.shownURL(of: request), status: response.status,
      course: course, excerpt: Excerpt.text(of: response.body.source, by: run.redactor))
    switch course.action {
    case .ignore:
      try note(.message(Message(.warning, answer.text + "; it is ignored, as its rule says")))
      return .ignored
    case .stop:
      try note(.message(Message(.info, answer.text + "; its rule ends the walk")))
      return .ended
    default: throw PipelineError(answer.text + addition)
    }
  }
}
