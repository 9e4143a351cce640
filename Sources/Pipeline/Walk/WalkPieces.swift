import Fetch
import PlanCompiler
import Store
import Values

#if FAULTS
  import Faults
#endif

/// A walk, or a slice of it, as far as it is known before its turn.
struct PlannedPiece {
  let walk: Walk
  /// Those whose places apply to its answers.
  let endpoints: [Int]
  let memory: WalkMemory
  /// Remembered when it is complete; nil for a slice that is not the last.
  let completion: WalkMemory.Completion?
  /// Left by a run that was cut.
  let cut: WalkMemory.Cut?
  /// Records to which each of its pages adds rows, whatever is stored.
  let appended: [String]
  /// What is to be said before it begins.
  let notice: Message?
  /// How it begins: where it was cut, or anew.
  let start: (WalkMemory.Cut?) throws(PipelineError) -> WalkStart
}

/// The pieces of a walk, one after the other: the whole of it, or the slices of an incremental one, the oldest first.
///
/// A piece that is not complete is the last: a later one would move the cursor over what is missing.
struct WalkPieces {
  private enum Course {
    case whole(WalkMemory.Completion?)
    case sinceCursor(IncrementalPlan)
    case slices(Slices)
    case over
  }

  private struct Slices {
    let plan: IncrementalPlan
    let length: Duration
    let cursor: CursorValue?
    var from: CursorValue
    let end: CursorValue
    let began: Duration
  }

  private let walker: Walker
  let walk: Walk
  private let completion: WalkMemory.Completion
  /// This run goes on where one was cut.
  private let isContinued: Bool
  private var course: Course
  private(set) var count = 0

  init(_ walk: Walk, _ walker: Walker, known: WalkMemory.Completion?, series: RunSeries) throws(PipelineError) {
    self.walk = walk
    self.walker = walker
    isContinued = series.isContinued
    completion = WalkMemory.Completion(
      series: series.name, at: walker.fetcher.clock.epoch(), version: walker.versions[walk.endpoint].text,
      wasWhole: false)
    guard let plan = walker.session.plan.endpoints[walk.endpoint].incremental else {
      course = .whole(known.flatMap { [completion] in $0.version == completion.version && $0.wasWhole ? $0 : nil })
      return
    }
    guard let length = plan.slice else {
      course = .sinceCursor(plan)
      return
    }
    course = .slices(try Self.slices(of: walk, plan, length, walker, began: completion.at))
  }

  private static func slices(
    of walk: Walk, _ plan: IncrementalPlan, _ length: Duration, _ walker: Walker, began: Duration
  ) throws(PipelineError) -> Slices {
    precondition(plan.start != nil, "a slice has a start: the reader of mappings sees to it")
    let memory = walker.memory(of: walk)
    let cursor = try walker.cursor(plan, memory)
    let left =
      walker.options.isFull
      ? nil
      : try walker.noting { () throws(StoreError) in
        try memory.slices(of: plan.type, at: walker.fetcher.clock.epoch())
      }
    guard let from = left?.next ?? plan.origin(cursor) else { throw plan.outOfRange }
    let end = if let left { left.end } else { try plan.end(at: walk.scope.now) }
    return Slices(plan: plan, length: length, cursor: cursor, from: from, end: end, began: left?.began ?? began)
  }

  /// Nil after the last one.
  mutating func next() throws(PipelineError) -> PlannedPiece? {
    defer { count += 1 }
    switch course {
    case .over: return nil
    case .whole(let validated):
      course = .over
      return try piece(walk, completion) { _ in WalkStart(validated: validated) }
    case .sinceCursor(let plan):
      course = .over
      return try sinceCursor(plan)
    case .slices(let slices): return try slice(slices)
    }
  }

  private func piece(
    _ walk: Walk, _ completion: WalkMemory.Completion?,
    start: @escaping (WalkMemory.Cut?) throws(PipelineError) -> WalkStart
  ) throws(PipelineError) -> PlannedPiece {
    let (memory, endpoints) = (walker.memory(of: walk), try walker.endpoints(answering: walk))
    let plan = walker.session.plan
    var rest = WalkMemory.Rest.nothing
    if !WalkWatch(plan: plan, endpoints: endpoints).replaces {
      rest = try walker.noting { () throws(StoreError) in
        try memory.rest(at: walker.fetcher.clock.epoch(), wasCut: isContinued)
      }
    }
    if walker.options.isFull, case .cut(let cut) = rest { rest = .void(reason: "by --full", pages: cut.pages) }
    let appended = endpoints.flatMap { plan.endpoints[$0].places }.flatMap { plan.appendedRecords(at: $0) }
    var cut: WalkMemory.Cut?
    if case .cut(let found) = rest { cut = found }
    return PlannedPiece(
      walk: walk, endpoints: endpoints, memory: memory, completion: completion, cut: cut, appended: appended,
      notice: rest.notice(of: plan.endpoints[walk.endpoint].name, appended: appended), start: start)
  }

  private func sinceCursor(_ plan: IncrementalPlan) throws(PipelineError) -> PlannedPiece {
    let (walker, walk) = (walker, walk)
    let cursor = try walker.cursor(plan, walker.memory(of: walk))
    let from = plan.origin(cursor)
    return try piece(walk, completion) { cut throws(PipelineError) in
      var start = WalkStart(cursor: cursor, isFromCursor: cursor != nil)
      if let from { start.parameters.append((plan.param, try plan.sent(from))) }
      if let name = plan.untilParam {
        start.parameters.append((name, try plan.sent(try plan.end(at: cut?.now ?? walk.scope.now))))
      }
      return start
    }
  }

  /// Ends: each slice begins where the one before ended, and slices have a length.
  private mutating func slice(_ slices: Slices) throws(PipelineError) -> PlannedPiece? {
    let (plan, from, end) = (slices.plan, slices.from, slices.end)
    course = .over
    guard (CursorValue.order(from, end) ?? 1) <= 0 else { return nil }
    guard var until = from.minus(.zero - slices.length) else { throw plan.outOfRange }
    if (CursorValue.order(until, end) ?? 1) > 0 { until = end }
    let isLast = CursorValue.order(until, end) == 0
    var piece = walk
    piece.slice = Walk.Slice(from: from, until: until)
    if !isLast {
      var rest = slices
      rest.from = until
      course = .slices(rest)
    }
    let (walker, memory) = (walker, walker.memory(of: piece))
    let remembered =
      isLast
      ? memory.unsliced : memory.sliced(WalkMemory.Slices(next: until, end: end, began: slices.began))
    let isFromCursor = slices.cursor != nil
    return try self.piece(piece, isLast ? completion : nil) { _ throws(PipelineError) in
      // What the slices before have moved it to.
      var start = WalkStart(cursor: try walker.cursor(plan, memory), isFromCursor: isFromCursor)
      start.parameters.append((plan.param, try plan.sent(from)))
      if let name = plan.untilParam { start.parameters.append((name, try plan.sent(until))) }
      start.completing = [remembered]
      return start
    }
  }
}

extension IncrementalPlan {
  /// What is asked from: the cursor, a little earlier where the mapping says so; before there is one, the start.
  fileprivate func origin(_ cursor: CursorValue?) -> CursorValue? {
    #if FAULTS
      if Fault.greater.isOn { return cursor.flatMap { $0.minus((lookback ?? .zero) - .seconds(1)) } ?? start }
    #endif
    return cursor.flatMap { lookback.map($0.minus) ?? $0 } ?? start
  }

  fileprivate func end(at now: Instant) throws(PipelineError) -> CursorValue {
    guard let end = end ?? CursorValue(now, type: type) else { throw outOfRange }
    return end
  }

  fileprivate func sent(_ value: CursorValue) throws(PipelineError) -> String {
    guard let text = value.sent(format: format) else { throw outOfRange }
    return text
  }

  fileprivate var outOfRange: PipelineError {
    PipelineError("the cursor of '\(column)' is outside of the years 1 to 9999")
  }
}
