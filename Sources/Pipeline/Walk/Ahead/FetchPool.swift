import Fetch
import PlanCompiler

/// Makes requests ahead of their turn, at most `concurrency` at a time, and gives the answers out in the order of walks.
///
/// For the one thread that stores. While it waits for an answer it keeps what has to be kept at once, and plans further
/// walks as long as somebody has nothing to fetch.
final class FetchPool {
  private let board: FetchBoard
  private let worker: FetchWorker
  private let concurrency: Int
  private let keep: (FetchNote) throws(PipelineError) -> Void
  private var threads: [WorkerThread] = []
  private var jobs = 0
  /// Plans another walk and submits its requests; false when none is in sight.
  var lookAhead: () -> Bool = { false }

  /// How many walks may be ahead of their turn, for each request at a time.
  private static let walksAhead = 8
  /// However many requests at a time a mapping allows: each takes a thread and a connection.
  private static let mostRequests = 64

  /// `keep`: what is done with what has to be kept at once, and with errors of requests for which nobody waits any more.
  init(
    _ fetcher: PageFetcher, _ supply: FetchSupply, concurrency: Int,
    keep: @escaping (FetchNote) throws(PipelineError) -> Void
  ) {
    self.concurrency = min(concurrency, Self.mostRequests)
    board = FetchBoard(most: self.concurrency)
    worker = FetchWorker(
      board: board, supply: supply, run: fetcher.run, limiter: fetcher.limiter, retry: fetcher.retry,
      authority: fetcher.authority)
    self.keep = keep
  }

  func submit(_ requests: WalkRequests, _ pager: Pager?, isFirst: Bool) throws(PipelineError) -> Int {
    jobs += 1
    let job = FetchJob(number: jobs, requests: requests, pager: pager, isFirst: isFirst)
    let isIdle = board.state.change { state in
      state.waiting.append(job)
      state.lanes[job.number] = FetchLane(limit: worker.supply.laneLimit)
      return state.idle >= state.waiting.count
    }
    if threads.isEmpty { try startThread(onlyDue: true) }
    if !isIdle, threads.count <= concurrency { try startThread(onlyDue: false) }
    return job.number
  }

  /// The first one, which is for the walk at hand, is all that is needed.
  private func startThread(onlyDue: Bool) throws(PipelineError) {
    if let thread = WorkerThread({ [worker] in worker.work(onlyDue: onlyDue) }) {
      threads.append(thread)
    } else if threads.isEmpty {
      throw PipelineError("no thread can be started to fetch with")
    }
  }

  private enum Event: Sendable {
    case urgent(Int, FetchNote)
    case left(FetchLane)
    case room
    case item(FetchLane.Item)
    case over
  }

  /// The next answer to a job's requests, which are the walk's whose turn it is; nil when no more comes of it. `note` is
  /// told what happened meanwhile.
  func answer(
    of job: Int, note: (FetchNote) throws(PipelineError) -> Void
  ) throws(PipelineError) -> AheadAnswer? {
    worker.run.progress.turn(to: job)
    board.state.change { state in
      state.due = job
      state.resume(job)
    }
    var seesMore = true
    while true {
      switch nextEvent(of: job, seesMore: seesMore) {
      case nil: if worker.run.isInterrupted() { throw .interrupted }
      case .urgent(let number, let said): reply(to: number, said)
      case .left(let lane): try keepErrors(of: lane)
      case .room: seesMore = lookAhead()
      case .item(.note(let said)): try note(said)
      case .item(.answer(let answer)): return answer
      case .item(.taken): continue
      case .over: return nil
      }
    }
  }

  /// Nil when nothing has happened for a while.
  private func nextEvent(of job: Int, seesMore: Bool) -> Event? {
    let (concurrency, limit) = (concurrency, worker.supply.laneLimit)
    return board.state.wait(atMost: .milliseconds(200)) { state -> Event? in
      if !state.urgent.isEmpty {
        let urgent = state.urgent.removeFirst()
        return .urgent(urgent.number, urgent.note)
      }
      if let left = state.lanes.first(where: { $0.value.isDropped && $0.value.isOver }) {
        state.lanes[left.key] = nil
        return .left(left.value)
      }
      if seesMore, Self.hasRoom(state, threads: concurrency, limit: limit) { return .room }
      guard let item = state.lanes[job]?.next else { return state.lanes[job]?.isOver ?? true ? .over : nil }
      state.lanes[job]?.take()
      state.resume(job)
      return .item(item)
    }
  }

  private static func hasRoom(_ state: FetchBoard.State, threads: Int, limit: Int) -> Bool {
    let lanes = state.lanes.values
    let busy = lanes.count { !$0.isOver && $0.parked == nil }
    return busy < threads && lanes.count < threads * walksAhead
      && lanes.reduce(0) { $0 + $1.kept } < threads * limit
  }

  private func reply(to number: Int, _ note: FetchNote) {
    let result = Result { () throws(PipelineError) in try keep(note) }
    board.state.change { $0.replies[number] = result }
  }

  /// Nobody waits for this job any more. Errors that were not told are kept, now or when its last request has ended.
  func drop(_ job: Int) throws(PipelineError) {
    let lane = board.state.change { state -> FetchLane? in
      state.waiting.removeAll { waiting in
        guard waiting.number == job else { return false }
        state.lanes[job]?.isOver = true
        return true
      }
      state.lanes[job]?.drop()
      guard state.lanes[job]?.isOver ?? false else { return nil }
      return state.lanes.removeValue(forKey: job)
    }
    if let lane { try keepErrors(of: lane) }
  }

  private func keepErrors(of lane: FetchLane) throws(PipelineError) {
    for error in lane.errors { try keep(.error(error)) }
  }

  /// Ends all requests, and returns when nobody fetches any more.
  func close() throws(PipelineError) {
    let count = threads.count
    board.state.change { state in
      state.isClosed = true
      state.waiting = []
    }
    while let (number, note) = board.state.wait(until: { state -> (Int, FetchNote)?? in
      if !state.urgent.isEmpty { return .some(state.urgent.removeFirst()) }
      return state.ended == count ? .some(nil) : nil
    }) { reply(to: number, note) }
    for thread in threads { thread.join() }
    threads = []
    let left = board.state.read { $0.lanes }
    for (_, lane) in left.sorted(by: { $0.key < $1.key }) { try keepErrors(of: lane) }
  }
}
