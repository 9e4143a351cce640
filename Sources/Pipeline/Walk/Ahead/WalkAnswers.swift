import Fetch
import PlanCompiler

/// The answers to a walk's requests, in order: asked for when they are wanted, or fetched ahead.
final class WalkAnswers {
  private let fetcher: PageFetcher
  let requests: WalkRequests
  /// Nil where one request is made at a time.
  private let pool: FetchPool?
  /// What is fetched ahead for this walk.
  private var job: Int?
  /// The request that was asked for last.
  private(set) var asked: HTTPRequest?

  init(_ fetcher: PageFetcher, _ requests: WalkRequests, pool: FetchPool?) {
    var fetcher = fetcher
    fetcher.builder = requests.builder
    self.fetcher = fetcher
    self.requests = requests
    self.pool = pool
  }

  /// Has the walk fetched before its turn.
  func begin(_ pager: Pager?) throws(PipelineError) {
    job = try pool?.submit(requests, pager, isFirst: true)
  }

  /// The answer to the next request, which is asked by `pager`. `note` is told what happened on the way to it.
  func next(
    _ pager: Pager?, isFirst: Bool, note: @escaping (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> (fetched: PageFetcher.Fetched, isConditional: Bool) {
    let (request, isConditional) = try requests.next(pager, isFirst: isFirst, fetcher.run)
    asked = request
    guard let pool else {
      let fetched = try fetcher.fetch(request, endpoint: requests.index, isConditional: isConditional, note: note)
      return (fetched, isConditional)
    }
    if let answer = try aheadAnswer(to: request, pool, note) { return (try fetched(answer), isConditional) }
    let job = try pool.submit(requests, pager, isFirst: isFirst)
    self.job = job
    guard let answer = try pool.answer(of: job, note: note) else {
      preconditionFailure("a request that is due is made, or fails")
    }
    return (try fetched(answer), isConditional)
  }

  /// Nil when another request was made ahead, or none.
  private func aheadAnswer(
    to request: HTTPRequest, _ pool: FetchPool, _ note: (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> AheadAnswer? {
    guard let job else { return nil }
    let answer = try pool.answer(of: job, note: note)
    if let answer, answer.request.asksFor(request) { return answer }
    try end()
    return nil
  }

  private func fetched(_ answer: AheadAnswer) throws(PipelineError) -> PageFetcher.Fetched {
    let fetched = try answer.result.get()
    guard case .page(var page) = fetched, let body = answer.body else { return fetched }
    do throws(FetchError) {
      page.response.body = try body.body()
    } catch {
      throw PipelineError("endpoint '\(requests.endpoint.name)': \(fetcher.run.shown(page.request)): \(error.message)")
    }
    return .page(page)
  }

  /// No further answer is wanted.
  func end() throws(PipelineError) {
    guard let job else { return }
    self.job = nil
    try pool?.drop(job)
  }
}

extension HTTPRequest {
  /// Would the same answer do?
  fileprivate func asksFor(_ other: HTTPRequest) -> Bool {
    method.utf8.elementsEqual(other.method.utf8) && url.utf8.elementsEqual(other.url.utf8) && body == other.body
      && headers == other.headers
  }
}
