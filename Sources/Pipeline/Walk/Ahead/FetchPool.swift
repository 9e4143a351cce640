import Fetch
import PlanCompiler

/// Makes requests ahead of their turn, at most `concurrency` at a time, and gives the answers out in the order of walks.
///
/// For the one thread that stores. While it waits for an answer it keeps what has to be kept at once, and plans further
/// walks as long as somebody has nothing to fetch.
final class FetchPool {
  private let board = FetchBoard()
  private let worker: FetchWorker
  private let concurrency: Int
  private let keep: (FetchNote) throws(PipelineError) -> Void
  private var threads: [WorkerThread] = []
  private var jobs = 0
  /// Plans another walk and submits its requests; false when none is in sight.
  var lookAhead: () -> Bool = { false }

  /// How many walks may be ahead of their turn, for each request at a time.
  private static let walksAhead = 16

  /// `keep`: what is done with what has to be kept at once, and with errors of requests for which nobody waits any more.
  init(
    _ fetcher: PageFetcher, _ supply: FetchSupply, concurrency: Int,
    keep: @escaping (FetchNote) throws(PipelineError) -> Void
  ) {
    worker = FetchWorker(
      board: board, supply: supply, run: fetcher.run, limiter: fetcher.limiter, retry: fetcher.retry,
      authority: fetcher.authority)
    self.concurrency = concurrency
    self.keep = keep
  }

  /// `isDue`: the walk's turn has come, so it goes before those that are ahead.
  func submit(_ requests: WalkRequests, _ pager: Pager?, isFirst: Bool, isDue: Bool) throws(PipelineError) -> Int {
    jobs += 1
    let job = FetchJob(number: jobs, requests: requests, pager: pager, isFirst: isFirst)
    let isIdle = board.state.change { state in
      state.waiting.insert(job, at: isDue ? 0 : state.waiting.endIndex)
      state.lanes[job.number] = FetchBoard.Lane()
      return state.idle >= state.waiting.count
    }
    if !isIdle, threads.count < concurrency { try startThread() }
    return job.number
  }

  private func startThread() throws(PipelineError) {
    if let thread = WorkerThread({ [worker] in worker.work() }) {
      threads.append(thread)
    } else if threads.isEmpty {
      throw PipelineError("no thread can be started to fetch with")
    }
  }

  private enum Event {
    case urgent(Int, FetchNote)
    case room
    case item(FetchBoard.Item)
    case over
  }

  /// The next answer to a job's requests; nil when no more comes of it. `note` is told what happened meanwhile.
  func answer(
    of job: Int, note: (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> AheadAnswer? {
    var seesMore = true
    while true {
      switch nextEvent(of: job, seesMore: seesMore) {
      case .urgent(let number, let said): reply(to: number, said)
      case .room: seesMore = lookAhead()
      case .item(.note(let said)): try note(said)
      case .item(.answer(let answer)): return answer
      case .item(.taken): continue
      case .over: return nil
      }
    }
  }

  private func nextEvent(of job: Int, seesMore: Bool) -> Event {
    let concurrency = concurrency
    return board.state.wait { state -> Event? in
      if let urgent = state.urgent.first {
        state.urgent.removeFirst()
        return .urgent(urgent.number, urgent.note)
      }
      if seesMore, Self.hasRoom(state, threads: concurrency) { return .room }
      guard var lane = state.lanes[job] else { return .over }
      if let item = lane.next {
        lane.take()
        state.lanes[job] = lane
        return .item(item)
      }
      return lane.isOver ? .over : nil
    }
  }

  private static func hasRoom(_ state: FetchBoard.State, threads: Int) -> Bool {
    let lanes = state.lanes.values
    let busy = lanes.count { !$0.isOver }
    return busy < threads && lanes.count < threads * walksAhead
      && lanes.reduce(0) { $0 + $1.kept } < threads * FetchBoard.laneLimit
  }

  private func reply(to number: Int, _ note: FetchNote) {
    let result = Result { () throws(PipelineError) in try keep(note) }
    board.state.change { $0.replies[number] = result }
  }

  /// Nobody waits for this job any more. Errors that were not told are kept.
  func drop(_ job: Int) throws(PipelineError) {
    guard let lane = board.state.change({ $0.lanes.removeValue(forKey: job) }) else { return }
    try keepErrors(of: lane)
  }

  private func keepErrors(of lane: FetchBoard.Lane) throws(PipelineError) {
    for case .note(.error(let entry)) in lane.items.dropFirst(lane.taken) { try keep(.error(entry)) }
  }

  /// Ends all requests, and returns when nobody fetches any more.
  func close() throws(PipelineError) {
    let left = board.state.change { state in
      state.isClosed = true
      state.waiting = []
      return state.lanes
    }
    let count = threads.count
    while let (number, note) = board.state.wait(until: { state -> (Int, FetchNote)?? in
      if !state.urgent.isEmpty { return .some(state.urgent.removeFirst()) }
      return state.ended == count ? .some(nil) : nil
    }) { reply(to: number, note) }
    for thread in threads { thread.join() }
    threads = []
    for (_, lane) in left.sorted(by: { $0.key < $1.key }) { try keepErrors(of: lane) }
  }
}

extension FetchBoard.Lane {
  /// Moves behind the next item.
  fileprivate mutating func take() {
    if case .answer(let answer)? = next {
      kept -= answer.body?.count ?? 0
      keptInMemory -= answer.body?.memory ?? 0
    }
    items[taken] = .taken
    taken += 1
    // The places are given up now and then, and not one by one: the others would move up each time.
    if taken == items.count || taken >= 1024 {
      items.removeFirst(taken)
      taken = 0
    }
  }
}
