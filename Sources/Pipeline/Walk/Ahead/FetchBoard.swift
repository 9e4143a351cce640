import Fetch
import Store

/// Where those who fetch ahead and the one who stores meet: each job has a lane.
final class FetchBoard: Sendable {
  struct State: Sendable {
    var waiting: [FetchJob] = []
    var lanes: [Int: FetchLane] = [:]
    /// The job of the walk whose turn it is.
    var due: Int?
    /// What has to be kept or answered before its sender goes on.
    var urgent: [(number: Int, note: FetchNote)] = []
    var replies: [Int: Result<Void, PipelineError>] = [:]
    var notes = 0
    /// Of those who fetch, how many have nothing to do.
    var idle = 0
    /// Of those who fetch, how many have gone.
    var ended = 0
    var isClosed = false
    /// Requests under way.
    var underway = 0
    /// Jobs whose requests wait for one of these to end.
    var held: Set<Int> = []

    /// A job whose lane was full goes on where it was.
    mutating func resume(_ job: Int) {
      guard let parked = lanes[job]?.parked, lanes[job]?.hasRoom ?? false else { return }
      lanes[job]?.parked = nil
      waiting.insert(parked, at: due == job ? 0 : waiting.endIndex)
    }
  }

  let state = Monitor(State())
  /// Requests at a time.
  private let most: Int

  init(most: Int) { self.most = most }

  // MARK: for those who fetch

  /// Nil when there will be no further job. `onlyDue`: jobs of walks ahead are left to others.
  func takeJob(onlyDue: Bool) -> FetchJob? {
    state.change { $0.idle += onlyDue ? 0 : 1 }
    return state.wait { state -> FetchJob?? in
      if state.isClosed {
        state.ended += 1
        return .some(nil)
      }
      let next = state.waiting.firstIndex { $0.number == state.due } ?? (onlyDue || state.waiting.isEmpty ? nil : 0)
      guard let next else { return nil }
      state.idle -= onlyDue ? 0 : 1
      return state.waiting.remove(at: next)
    }
  }

  /// Nobody waits for this job any more.
  func isDropped(_ job: Int) -> Bool { state.read { $0.isClosed || $0.lanes[job]?.isDropped ?? true } }

  /// Whoever stores waits for this job, and has taken all that came of it.
  func isWanted(_ job: Int) -> Bool { state.read { $0.due == job && $0.lanes[job]?.next == nil } }

  func keptInMemory(_ job: Int) -> Int { state.read { $0.lanes[job]?.keptInMemory ?? 0 } }

  func put(_ answer: AheadAnswer, of job: Int) { state.change { $0.lanes[job]?.add(answer) } }

  enum Course: Sendable {
    case goesOn
    /// Its lane is full: it is taken up again when there is room.
    case parked
    case isOver
  }

  /// Before each request of a job.
  func course(of job: FetchJob) -> Course {
    state.change { state in
      guard !state.isClosed, let lane = state.lanes[job.number], !lane.isDropped else { return .isOver }
      if lane.hasRoom { return .goesOn }
      state.lanes[job.number]?.parked = job
      return .parked
    }
  }

  /// What is to be kept at once has been when this returns, and what is asked has been answered; all else waits for its
  /// turn.
  func tell(_ note: FetchNote, of job: Int) throws(PipelineError) {
    switch note {
    case .state, .recall: break
    case .error, .rule, .message: return state.change { $0.lanes[job]?.add(note) }
    }
    let number = state.change { state in
      state.notes += 1
      state.urgent.append((state.notes, note))
      return state.notes
    }
    try state.wait { $0.replies.removeValue(forKey: number) }.get()
  }

  func finish(_ job: Int) { state.change { $0.lanes[job]?.isOver = true } }

  // MARK: requests at a time

  /// Waits until a request of this job may go out; those of the walk whose turn it is go first.
  func beginRequest(of job: Int, isStopped: FetchSupply.Stop) throws(FetchError) {
    let most = most
    // Ends: requests under way do, and a stop is noticed.
    while true {
      let hasBegun = state.wait(atMost: .milliseconds(200)) { state -> Bool? in
        let isDueHeld = state.due.map { $0 != job && state.held.contains($0) } ?? false
        guard state.underway < most, !isDueHeld else {
          state.held.insert(job)
          return nil
        }
        state.held.remove(job)
        state.underway += 1
        return true
      }
      if hasBegun ?? false { return }
      if isStopped() {
        state.change { _ = $0.held.remove(job) }
        throw .interrupted
      }
    }
  }

  func endRequest() { state.change { $0.underway -= 1 } }
}
