import Fetch
import JSONReading
import Mapper
import PlanCompiler
import Store

/// Takes the pages of a walk in: each is one body, with what the walk remembers of it in the same transaction.
struct PageIntake {
  typealias Closing = (_ records: PageCount, _ answer: AnswerValues) throws -> Void

  let session: RunSession
  let builder: RequestBuilder
  let endpoint: EndpointPlan

  /// Stores the page's records. `paths` are read in its body before, and `closing` gets them and the number of records
  /// within the transaction, before it is committed.
  func take(_ page: Page, reading paths: [KeyPath], closing: Closing) throws(PipelineError) {
    let response = page.response
    if response.status == 204 || response.status == 205 { return try takeNothing(page, closing) }
    let format: BodyFormat
    do throws(FetchError) {
      // An empty body has no type that matters.
      format =
        response.body.count == 0
        ? BodyFormat() : try response.bodyFormat(isNDJSON: endpoint.isNDJSON, isLenient: endpoint.isLenient)
    } catch {
      throw try refused(page, BodyFailure(.type, name: "", code: error.code.rawValue, message: error.message))
    }
    try store(page, format: format, reading: paths, closing)
  }

  /// An answer without a body: no rows, but a place in the walk.
  private func takeNothing(_ page: Page, _ closing: Closing) throws(PipelineError) {
    session.intake.watch?.noteNothing(at: endpoint.places, of: session.context.shown(page.request))
    let answer = AnswerValues(body: nil, context: page.context(session.context, builder))
    do {
      try session.intake.takeNothing {
        try closing(PageCount(), answer)
        try archive(page, answer.context)
      }
    } catch {
      throw try refused(page, BodyFailure(error, name: session.context.shownURL(of: page.request)))
    }
  }

  private func store(
    _ page: Page, format: BodyFormat, reading paths: [KeyPath], _ closing: Closing
  ) throws(PipelineError) {
    let source = page.response.body.source
    let url = session.context.shownURL(of: page.request)
    if format.isNDJSON, let path = paths.first {
      let message = "it is NDJSON, of which nothing but records is read, and paging reads '\(path.text)' in the body"
      throw try refused(page, BodyFailure(.type, name: url, code: "bad-content-type", message: message))
    }
    do {
      let inspection = try session.context.inspect(source, format: format, paths: paths)
      let answer = AnswerValues(body: inspection, context: page.context(session.context, builder))
      _ = try session.intake.take(source, format: format, context: answer.context, name: url) { taken in
        try closing(count(taken, answer.context), answer)
        try archive(page, answer.context)
      }
      session.sayWarnings()
    } catch {
      throw try refused(page, BodyFailure(error, name: url))
    }
  }

  /// Keeps the raw answer with the rows that it gave, where the mapping says so.
  private func archive(_ page: Page, _ context: BodyContext) throws(StoreError) {
    guard endpoint.isArchived else { return }
    try session.archive(page, context, path: builder.routePath(of: page.request.url, for: endpoint))
  }

  /// Of the walk's own endpoint: others may have places in its answers too.
  private func count(_ taken: BodyIntake.Taken, _ context: BodyContext) -> PageCount {
    var first = 0
    for match in context.matches {
      let other = session.plan.endpoints[match.endpoint]
      guard other.name.utf8.elementsEqual(endpoint.name.utf8) else {
        first += other.places.count
        continue
      }
      let counts = taken.records[first..<first + other.places.count]
      return PageCount(
        all: counts.reduce(0, +), first: counts.first ?? 0, digest: taken.sum.map { BodyDigest($0) })
    }
    preconditionFailure("an answer meets the endpoint that was asked")
  }

  /// Keeps why a body was not taken, and tells it.
  private func refused(_ page: Page, _ failure: BodyFailure) throws(PipelineError) -> PipelineError {
    if case .interrupted = failure.cause { return .interrupted }
    let excerpt =
      failure.cause.isOfText
      ? Excerpt.text(of: page.response.body.source, line: failure.line, by: session.redactor) : nil
    try session.record(
      ErrorEntry(
        endpoint: endpoint.name, method: page.request.method, url: session.context.shownURL(of: page.request),
        status: page.response.status, code: failure.code, message: failure.message, excerpt: excerpt, action: "fail"))
    session.sayWarnings()
    let redirect = page.response.redirectedURL.map { ", redirected to \(session.redactor.redact($0))," } ?? ""
    let request = "\(session.context.shown(page.request))\(redirect)"
    // What the store cannot do is no fault of the answer.
    let status = if case .store = failure.cause { "" } else { " answered \(page.response.status)" }
    return PipelineError("endpoint '\(endpoint.name)': \(request)\(status)\(failure.told(with: excerpt))")
  }
}
