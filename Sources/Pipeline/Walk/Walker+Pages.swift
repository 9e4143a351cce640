import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Store

/// The pages of one walk: asked for, taken in, and when there are no more.
extension Walker {
  func requestPages(of index: Int) throws(PipelineError) -> RunSession.WalkClose {
    let endpoint = session.plan.endpoints[index]
    var pager = endpoint.paginate.map { Pager($0, limit: session.mapping.source.limits.pages) }
    // Ends: the pager does, and without paging there is one request.
    while true {
      try session.checkInterruption()
      let request = try builder.request(for: endpoint, asking: pager?.ask)
      switch try fetcher.fetch(request, endpoint: index, note: session.keep) {
      case .ended: return .complete
      case .ignored:
        session.report(Message(.warning, "endpoint '\(endpoint.name)': the walk is partial, an answer was ignored"))
        return .partial("the walk is partial, an answer was ignored")
      case .page(let page):
        guard var paging = pager else {
          _ = try take(page, pager: nil)
          return .complete
        }
        let digest = BodyDigest(of: page.response.body)
        if paging.repeats(digest) { throw failure(page, Pager.repeatedBody) }
        let (records, answer) = try take(page, pager: paging)
        let said = paging.warnings.count
        let next = paging.next(records: records, answer: answer, body: digest, request: request)
        for warning in paging.warnings.dropFirst(said) {
          session.report(
            Message(.warning, "endpoint '\(endpoint.name)': \(session.context.shown(request)): \(warning)"))
        }
        pager = paging
        if let close = try close(next, page: page, received: paging.received) { return close }
      }
    }
  }

  /// How the walk ends here; nil when another page is to be asked for.
  private func close(
    _ next: Pager.Next, page: Page, received: Int
  ) throws(PipelineError) -> RunSession.WalkClose? {
    let name = session.plan.endpoints[page.endpoint].name
    switch next {
    case .page: return nil
    case .end: return .complete
    case .bounded(let bound):
      let reason = "the walk is partial, it ends at \(bound) pages (max_pages)"
      session.report(Message(.warning, "endpoint '\(name)': \(reason)"))
      return .partial(reason)
    case .overLimit(let limit):
      throw PipelineError(
        "endpoint '\(name)': there are more than \(limit) pages, the limit of the source (limits.pages)")
    case .failed(let reason): throw failure(page, reason)
    case .short(let declared):
      throw PipelineError("endpoint '\(name)': the API declares \(declared) records, \(received) came")
    }
  }

  private func failure(_ page: Page, _ reason: String) -> PipelineError {
    let name = session.plan.endpoints[page.endpoint].name
    return PipelineError("endpoint '\(name)': \(session.context.shown(page.request)): \(reason)")
  }

  private func take(
    _ page: Page, pager: Pager?
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
    return try store(page, format: format, pager: pager)
  }

  private func store(
    _ page: Page, format: BodyFormat, pager: Pager?
  ) throws(PipelineError) -> (records: Int, answer: AnswerValues) {
    let source = page.response.body.source
    let url = session.context.shownURL(of: page.request)
    if format.isNDJSON, let path = pager?.bodyPaths.first {
      throw failure(
        page, "it answered NDJSON, of which nothing but records is read, and paging reads '\(path.text)' in it")
    }
    do {
      let inspection = try session.context.inspect(source, format: format, paths: pager?.bodyPaths ?? [])
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
