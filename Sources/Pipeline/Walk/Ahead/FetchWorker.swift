package import Fetch
import MappingLanguage
import PlanCompiler
import Synchronization

/// What those who fetch ahead bring along.
package struct FetchSupply: Sendable {
  /// True ends a request as `interrupted`.
  package typealias Stop = @Sendable () -> Bool

  package var transport: @Sendable (@escaping Stop) throws(FetchError) -> any Transport
  package var clock: @Sendable (@escaping Stop) -> any FetchClock

  package init(
    clock: @escaping @Sendable (@escaping Stop) -> any FetchClock = { SystemClock(isInterrupted: $0) },
    transport: @escaping @Sendable (@escaping Stop) throws(FetchError) -> any Transport
  ) {
    self.clock = clock
    self.transport = transport
  }
}

/// One of those who fetch ahead: job after job on a thread of its own, over connections of its own.
struct FetchWorker: Sendable {
  /// The job at hand, for whoever asks whether it is still wanted.
  private final class Current: Sendable {
    let job = Atomic<Int>(0)
  }

  let board: FetchBoard
  let supply: FetchSupply
  let run: RunContext
  let limiter: RateLimiter
  let retry: RetryPolicy
  let authority: RunAuthority?

  func work() {
    let current = Current()
    let isStopped: FetchSupply.Stop = { [run, board] in
      run.isInterrupted() || board.isDropped(current.job.load(ordering: .relaxed))
    }
    let transport = Result { () throws(FetchError) in try supply.transport(isStopped) }
    let clock = WatchedClock(clock: supply.clock(isStopped), progress: run.progress)
    while let job = board.takeJob() {
      current.job.store(job.number, ordering: .relaxed)
      do {
        let fetcher = PageFetcher(
          run: run, builder: job.requests.builder, transport: try transport.get(), clock: clock, limiter: limiter,
          retry: retry, authority: authority)
        fetch(job, by: fetcher)
      } catch {
        let name = job.requests.endpoint.name
        give(.failure(PipelineError("endpoint '\(name)': \(error.message)")), to: HTTPRequest(url: ""), of: job)
      }
      board.finish(job.number)
    }
  }

  private func fetch(_ job: FetchJob, by fetcher: PageFetcher) {
    let forecast = PageForecast(run: run, requests: job.requests)
    var pager = job.pager
    var stash = BodyStash()
    var isFirst = job.isFirst
    // Ends: the pager does, and without paging there is one request.
    while pager?.blocked == nil {
      // What stands against a request is said when its turn comes.
      guard let (request, isConditional) = try? job.requests.next(pager, isFirst: isFirst, run) else { return }
      let fetched: PageFetcher.Fetched
      do throws(PipelineError) {
        fetched = try fetcher.fetch(request, endpoint: job.requests.index, isConditional: isConditional) {
          note throws(PipelineError) in try board.tell(note, of: job.number)
        }
      } catch {
        return give(.failure(error), to: request, of: job)
      }
      guard case .page(let page) = fetched else { return give(.success(fetched), to: request, of: job) }
      guard keep(page, of: job, in: &stash), !(isConditional && page.response.status == 304) else { return }
      guard var next = pager, forecast.advance(&next, behind: page) else { return }
      (pager, isFirst) = (next, false)
    }
  }

  private func give(_ result: Result<PageFetcher.Fetched, PipelineError>, to request: HTTPRequest, of job: FetchJob) {
    _ = board.put(AheadAnswer(request: request, result: result), of: job.number)
  }

  /// False when nobody waits for it any more.
  private func keep(_ page: Page, of job: FetchJob, in stash: inout BodyStash) -> Bool {
    do throws(FetchError) {
      let body = try stash.keep(page.response.body, inMemory: board.keptInMemory(job.number))
      var empty = page
      empty.response.body = .bytes([])
      return board.put(
        AheadAnswer(request: page.request, result: .success(.page(empty)), body: body), of: job.number)
    } catch {
      let what = "endpoint '\(job.requests.endpoint.name)': \(run.shown(page.request))"
      give(.failure(PipelineError("\(what): the answer cannot be kept: \(error.message)")), to: page.request, of: job)
      return false
    }
  }
}
