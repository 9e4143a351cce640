import Fetch
import Store

/// The requests of one walk, to be made from where `pager` stands to where no further page is in sight.
struct FetchJob: Sendable {
  let number: Int
  let requests: WalkRequests
  let pager: Pager?
  /// No page of the walk has been taken in.
  let isFirst: Bool
}

/// What came of a request that was made ahead.
struct AheadAnswer: Sendable {
  var request: HTTPRequest
  /// Pages are without their bodies.
  var result: Result<PageFetcher.Fetched, PipelineError>
  var body: StashedBody?
}

/// Where those who fetch ahead and the one who stores meet.
///
/// Each job has a lane: what happened to it, in order. A lane keeps 64 MB of answers at most; who fetches for it then waits
/// until some are taken.
final class FetchBoard: Sendable {
  enum Item: Sendable {
    case note(FetchNote)
    case answer(AheadAnswer)
    case taken
  }

  struct Lane {
    var items: [Item] = []
    /// Items that have been taken.
    var taken = 0
    /// Bytes of answers that wait.
    var kept = 0
    var keptInMemory = 0
    /// Nothing more comes.
    var isOver = false

    var next: Item? { taken < items.count ? items[taken] : nil }
  }

  struct State {
    var waiting: [FetchJob] = []
    var lanes: [Int: Lane] = [:]
    /// What has to be kept before its sender goes on.
    var urgent: [(number: Int, note: FetchNote)] = []
    var replies: [Int: Result<Void, PipelineError>] = [:]
    var notes = 0
    var idle = 0
    /// Of those who fetch, how many have gone.
    var ended = 0
    var isClosed = false
  }

  static let laneLimit = 64 << 20

  let state = Monitor(State())

  // MARK: for those who fetch

  /// Nil when there will be no further job.
  func takeJob() -> FetchJob? {
    state.change { $0.idle += 1 }
    return state.wait { state -> FetchJob?? in
      if state.isClosed {
        state.ended += 1
        return .some(nil)
      }
      guard !state.waiting.isEmpty else { return nil }
      state.idle -= 1
      return state.waiting.removeFirst()
    }
  }

  /// Nobody waits for this job any more.
  func isDropped(_ job: Int) -> Bool { state.read { $0.isClosed || $0.lanes[job] == nil } }

  func keptInMemory(_ job: Int) -> Int { state.read { $0.lanes[job]?.keptInMemory ?? 0 } }

  /// False when nobody waits for the job any more.
  func put(_ answer: AheadAnswer, of job: Int) -> Bool {
    state.wait { state -> Bool? in
      guard !state.isClosed, var lane = state.lanes[job] else { return false }
      let count = answer.body?.count ?? 0
      guard lane.kept == 0 || lane.kept + count <= Self.laneLimit else { return nil }
      lane.items.append(.answer(answer))
      lane.kept += count
      lane.keptInMemory += answer.body?.memory ?? 0
      state.lanes[job] = lane
      return true
    }
  }

  /// What is to be kept at once has been when this returns; all else waits for its turn.
  func tell(_ note: FetchNote, of job: Int) throws(PipelineError) {
    guard case .state = note else {
      state.change { $0.lanes[job]?.items.append(.note(note)) }
      return
    }
    let number = state.change { state in
      state.notes += 1
      state.urgent.append((state.notes, note))
      return state.notes
    }
    try state.wait { $0.replies.removeValue(forKey: number) }.get()
  }

  func finish(_ job: Int) { state.change { $0.lanes[job]?.isOver = true } }
}
