import Fetch
import PlanCompiler
import Synchronization

/// One of those who fetch ahead: job after job on a thread of its own, over connections of its own.
struct FetchWorker: Sendable {
  /// The job at hand, for whoever asks whether it is still wanted.
  private final class Current: Sendable {
    private let job = Atomic<Int>(0)

    var number: Int {
      get { job.load(ordering: .relaxed) }
      set { job.store(newValue, ordering: .relaxed) }
    }
  }

  let board: FetchBoard
  let supply: FetchSupply
  let run: RunContext
  let limiter: RateLimiter
  let retry: RetryPolicy
  let authority: RunAuthority?

  /// `onlyDue`: it leaves walks ahead to others, so that the walk at hand never waits for them.
  func work(onlyDue: Bool) {
    let current = Current()
    let isStopped: FetchSupply.Stop = { [run, board] in run.isInterrupted() || board.isDropped(current.number) }
    let made = Result { () throws(FetchError) in try means(current, isStopped) }
    var stash = BodyStash()
    while let job = board.takeJob(onlyDue: onlyDue) {
      current.number = job.number
      do throws(FetchError) {
        var fetcher = try made.get()
        fetcher.builder = job.requests.builder
        if fetch(job, by: fetcher, &stash) { board.finish(job.number) }
      } catch {
        let name = job.requests.endpoint.name
        give(.failure(PipelineError("endpoint '\(name)': \(error.message)")), to: HTTPRequest(url: ""), of: job)
        board.finish(job.number)
      }
    }
  }

  private func means(_ current: Current, _ isStopped: @escaping FetchSupply.Stop) throws(FetchError) -> PageFetcher {
    let clock = WatchedClock(
      clock: supply.clock(isStopped), progress: run.progress, walk: { current.number })
    let transport = CountedTransport(
      try supply.transport(isStopped), board, job: { current.number }, isStopped: isStopped)
    var fetcher = PageFetcher(
      run: run, builder: RequestBuilder(mapping: run.mapping, scope: run.scope), transport: transport, clock: clock,
      limiter: limiter, retry: retry, authority: authority)
    guard authority?.tokens != nil else { return fetcher }
    // All walks wait for a token: it is got, whatever becomes of the walk that asks for it.
    var means = try TokenMeans(supply, run)
    means.transport = CountedTransport(
      means.transport, board, job: { current.number }, isStopped: means.isStopped)
    fetcher.tokenMeans = means
    return fetcher
  }

  /// False when the job waits for room in its lane.
  private func fetch(_ job: FetchJob, by fetcher: PageFetcher, _ stash: inout BodyStash) -> Bool {
    let forecast = PageForecast(run: run, requests: job.requests)
    var job = job
    // Ends: the pager does, and without paging there is one request.
    while job.pager?.blocked == nil {
      switch board.course(of: job) {
      case .goesOn: break
      case .parked: return false
      case .isOver: return true
      }
      // What stands against a request is said when its turn comes.
      guard let (request, isConditional) = try? job.requests.next(job.pager, isFirst: job.isFirst, run) else {
        return true
      }
      guard let page = page(request, isConditional, of: job, by: fetcher), keep(page, of: job, in: &stash),
        !(isConditional && page.response.status == 304), var next = job.pager,
        forecast.advance(&next, behind: page)
      else { return true }
      (job.pager, job.isFirst) = (next, false)
    }
    return true
  }

  /// Nil when no page came, which has been put on the board.
  private func page(
    _ request: HTTPRequest, _ isConditional: Bool, of job: FetchJob, by fetcher: PageFetcher
  ) -> Page? {
    do throws(PipelineError) {
      let fetched = try fetcher.fetch(request, endpoint: job.requests.index, isConditional: isConditional) {
        note throws(PipelineError) in try board.tell(note, of: job.number)
      }
      if case .page(let page) = fetched { return page }
      give(.success(fetched), to: request, of: job)
    } catch {
      give(.failure(error), to: request, of: job)
    }
    return nil
  }

  private func give(_ result: Result<PageFetcher.Fetched, PipelineError>, to request: HTTPRequest, of job: FetchJob) {
    board.put(AheadAnswer(request: request, result: result), of: job.number)
  }

  /// False when it could not be kept: it is asked for again when its turn comes.
  private func keep(_ page: Page, of job: FetchJob, in stash: inout BodyStash) -> Bool {
    // What is waited for needs no place to wait.
    let isWanted = board.isWanted(job.number)
    guard
      let body = isWanted
        ? StashedBody(page.response.body)
        : try? stash.keep(page.response.body, inMemory: board.keptInMemory(job.number))
    else { return false }
    var empty = page
    empty.response.body = .bytes([])
    board.put(AheadAnswer(request: page.request, result: .success(.page(empty)), body: body), of: job.number)
    return true
  }
}
