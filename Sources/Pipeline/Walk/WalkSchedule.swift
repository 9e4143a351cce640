import PlanCompiler
import Store

/// The walks of a run in their order, planned one by one, and some of them before their turn.
///
/// Nothing is planned ahead that depends on what is still to be stored: walks over stored rows, whose endpoint has not
/// begun, and a walk that asks the same as one before it.
final class WalkSchedule {
  /// What a run comes to next.
  enum Turn {
    case piece(PlannedPiece, WalkAnswers?)
    /// A walk that need not be walked; the sentence says why.
    case passed(String)
    /// It cannot be planned, which counts as a walk that failed.
    case unplanned(Walk, PipelineError)
    /// The endpoint's last walk is behind.
    case over(walks: Int, nulls: Int)
  }

  struct Entry {
    let turn: Turn
    let endpoint: Int
    /// Counts the run's walks; the slices of a walk share it.
    let walk: Int
  }

  private let walker: Walker
  private let series: RunSeries
  private let pool: FetchPool?
  private var endpoints: [Int]
  private var entries: [Entry] = []
  private var open: (endpoint: Int, planner: WalkPlanner, walks: Int)?
  private var pieces: WalkPieces?
  private var held: Walk?
  /// What stands against planning anything further.
  private var problem: PipelineError?
  private var number = 0
  /// What walks ask, from the one at hand on.
  private var scopes: [(walk: Int, text: String)] = []

  /// Turns that are planned ahead without a request, such as walks that are passed over.
  private static let mostEntries = 1024

  init(_ walker: Walker, endpoints: [Int], series: RunSeries, pool: FetchPool?) {
    self.walker = walker
    self.series = series
    self.pool = pool
    self.endpoints = endpoints
  }

  /// Nil after the last walk of the last endpoint.
  func next() throws(PipelineError) -> Entry? {
    if !entries.isEmpty { return entered(entries.removeFirst()) }
    if let problem { throw problem }
    return try plan(isAhead: false).map(entered)
  }

  private func entered(_ entry: Entry) -> Entry {
    scopes.removeAll { $0.walk < entry.walk }
    return entry
  }

  /// Plans until there is one more walk whose requests may be made ahead of its turn; false when there is none.
  func lookAhead() -> Bool {
    do throws(PipelineError) {
      while problem == nil, entries.count < Self.mostEntries, let entry = try plan(isAhead: true) {
        entries.append(entry)
        if case .piece = entry.turn { return true }
      }
    } catch {
      // It is said when its turn comes.
      problem = error
    }
    return false
  }

  /// Gives up what is left of a walk.
  func drop(_ walk: Int) throws(PipelineError) {
    if number == walk { pieces = nil }
    let dropped = entries.filter { $0.walk == walk && !$0.isOver }
    entries.removeAll { $0.walk == walk && !$0.isOver }
    for case .piece(_, let answers?) in dropped.map(\.turn) { try answers.end() }
  }

  // MARK: planning

  private func plan(isAhead: Bool) throws(PipelineError) -> Entry? {
    while true {
      if let open, let entry = try nextOfWalk(open.endpoint, isAhead: isAhead) { return entry }
      if open != nil {
        guard let walk = try nextWalk() else { return close() }
        if isAhead, asksTheSame(walk) {
          held = walk
          return nil
        }
        if let entry = begin(walk) { return entry }
        continue
      }
      guard let endpoint = endpoints.first else { return nil }
      // Its rows are what is stored when its turn comes.
      if isAhead, case .rows? = walker.session.plan.endpoints[endpoint].forEach { return nil }
      let planner = try walker.noting { () throws(StoreError) in
        try WalkPlanner(endpoint, walker.session, binding: walker.options.binding)
      }
      endpoints.removeFirst()
      open = (endpoint, planner, 0)
    }
  }

  private func nextWalk() throws(PipelineError) -> Walk? {
    if let walk = held {
      held = nil
      return walk
    }
    return try walker.noting { () throws(StoreError) in try open?.planner.nextWalk() }
  }

  private func asksTheSame(_ walk: Walk) -> Bool {
    let text = walker.memory(of: walk).cursorScope
    return scopes.contains { $0.text.utf8.elementsEqual(text.utf8) }
  }

  private func close() -> Entry? {
    guard let open else { return nil }
    self.open = nil
    return Entry(
      turn: .over(walks: open.walks, nulls: open.planner.nullCount), endpoint: open.endpoint, walk: number)
  }

  /// Nil: there are pieces of it to come.
  private func begin(_ walk: Walk) -> Entry? {
    number += 1
    open?.walks += 1
    if pool != nil { scopes.append((number, walker.memory(of: walk).cursorScope)) }
    do throws(PipelineError) {
      let known = try walker.completion(of: walk)
      if let known, let reason = walker.reasonToPass(known, walk, series) {
        return Entry(turn: .passed(reason), endpoint: walk.endpoint, walk: number)
      }
      pieces = try WalkPieces(walk, walker, known: known, series: series)
      return nil
    } catch {
      return Entry(turn: .unplanned(walk, error), endpoint: walk.endpoint, walk: number)
    }
  }

  private func nextOfWalk(_ endpoint: Int, isAhead: Bool) throws(PipelineError) -> Entry? {
    guard let walk = pieces?.walk else { return nil }
    do throws(PipelineError) {
      if let piece = try pieces?.next() {
        let answers = isAhead ? walker.answers(aheadOf: piece, pool) : nil
        return Entry(turn: .piece(piece, answers), endpoint: endpoint, walk: number)
      }
      let isEmpty = pieces?.count == 1
      pieces = nil
      guard isEmpty else { return nil }
      return Entry(
        turn: .passed("nothing is asked, the cursor is behind the end"), endpoint: endpoint, walk: number)
    } catch {
      pieces = nil
      return Entry(turn: .unplanned(walk, error), endpoint: endpoint, walk: number)
    }
  }
}

extension WalkSchedule.Turn {
  /// The one that is to be walked, or that cannot be.
  var walk: Walk? {
    switch self {
    case .piece(let piece, _): piece.walk
    case .unplanned(let walk, _): walk
    case .passed, .over: nil
    }
  }
}

extension WalkSchedule.Entry {
  fileprivate var isOver: Bool { if case .over = turn { true } else { false } }
}
