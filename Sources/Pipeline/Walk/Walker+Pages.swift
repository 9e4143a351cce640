import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Store

/// The pages of one walk: asked for, taken in, and when there are no more.
extension Walker {
  func requestPages(of index: Int) throws(PipelineError) -> RunSession.WalkClose {
    let endpoint = session.plan.endpoints[index]
    var counter = endpoint.paginate.map { PageCounter($0, limit: session.mapping.source.limits.pages) }
    var seen: Set<BodyDigest> = []
    // Ends: the counter does, and without paging there is one request.
    while true {
      try session.checkInterruption()
      let request = try builder.request(for: endpoint, paging: counter?.parameters ?? [])
      switch try fetcher.fetch(request, endpoint: index, note: session.keep) {
      case .ended: return .complete
      case .ignored:
        session.report(Message(.warning, "endpoint '\(endpoint.name)': the walk is partial, an answer was ignored"))
        return .partial("the walk is partial, an answer was ignored")
      case .page(let page):
        let (records, answer) = try take(page, counter: counter)
        if counter != nil, records > 0, !seen.insert(BodyDigest(of: page.response.body)).inserted {
          throw PipelineError(
            "endpoint '\(endpoint.name)': \(session.context.shown(request)) gave the same body as a page before")
        }
        let said = counter?.warnings.count ?? 0
        let next = counter?.next(records: records, answer: answer) ?? .end
        for warning in (counter?.warnings ?? []).dropFirst(said) {
          session.report(
            Message(.warning, "endpoint '\(endpoint.name)': \(session.context.shown(request)): \(warning)"))
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
          throw PipelineError("endpoint '\(endpoint.name)': \(session.context.shown(request)): \(reason)")
        case .short(let declared):
          throw PipelineError(
            "endpoint '\(endpoint.name)': the API declares \(declared) records, \(counter?.received ?? 0) came")
        }
      }
    }
  }

  private func take(
    _ page: Page, counter: PageCounter?
  ) throws(PipelineError) -> (records: Int, answer: AnswerValues) {
    let endpoint = session.plan.endpoints[page.endpoint]
    let response = page.response
    if response.status == 204 || response.status == 205 {
      session.intake.watch?.noteNothing(at: endpoint.places, of: session.context.shown(page.request))
      return (0, AnswerValues(body: nil, context: page.context(session.context, builder)))
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
    let url = session.context.shownURL(of: page.request)
    do {
      let inspection = try session.context.inspect(source, format: format, paths: counter?.bodyPaths ?? [])
      let answer = AnswerValues(body: inspection, context: page.context(session.context, builder))
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
    try session.record(
      ErrorEntry(
        endpoint: endpoint.name, method: page.request.method, url: session.context.shownURL(of: page.request),
        status: page.response.status, code: failure.code, message: failure.message, excerpt: excerpt, action: "fail"))
    session.sayWarnings()
    let answer = "endpoint '\(endpoint.name)': \(session.context.shown(page.request)) answered \(page.response.status)"
    return PipelineError("\(answer): \(failure.message)\(excerpt.map { "; the body begins: \($0)" } ?? "")")
  }
}
