import Fetch
import MappingLanguage
import PlanCompiler
import Records
import Store
import Values

/// One walk: whether it is due, where it begins, and what is remembered of it.
extension Walker {
  func walk(_ walk: Walk, in series: RunSeries) throws(PipelineError) {
    let endpoint = session.plan.endpoints[walk.endpoint]
    let memory = memory(of: walk)
    let known = options.isFull ? nil : try noting { () throws(StoreError) in try memory.completion() }
    if let known, let reason = reasonToPass(known, endpoint, series) {
      return session.report(Message(.info, "endpoint '\(endpoint.name)': \(reason)"))
    }
    let completion = WalkMemory.Completion(
      series: series.name, at: fetcher.clock.epoch(), digest: digest, wasWhole: false)
    guard let incremental = endpoint.incremental else {
      let validated = known.flatMap { $0.digest == digest && $0.wasWhole ? $0 : nil }
      _ = try run(walk, memory, completion) { _ in
        WalkStart(validated: validated)
      }
      return
    }
    if incremental.slice == nil {
      try walkSinceCursor(walk, incremental, memory, completion)
    } else {
      try walkSlices(walk, incremental, memory, completion)
    }
  }

  /// Nil when the walk is due.
  private func reasonToPass(
    _ known: WalkMemory.Completion, _ endpoint: EndpointPlan, _ series: RunSeries
  ) -> String? {
    if series.isContinued, known.series == series.name {
      return "passed over: it was complete in the run that this one continues"
    }
    let age = fetcher.clock.epoch() - known.at
    guard let life = endpoint.declaration.timeToLive, known.wasWhole, known.digest == digest, age >= .zero, age < life
    else { return nil }
    return "not asked: what is stored is \(age.spoken) old, and serves for \(life.spoken) (cache)"
  }

  // MARK: incremental

  private func walkSinceCursor(
    _ walk: Walk, _ plan: IncrementalPlan, _ memory: WalkMemory, _ completion: WalkMemory.Completion
  ) throws(PipelineError) {
    let cursor = try cursor(plan, memory)
    let from = origin(plan, cursor)
    _ = try run(walk, memory, completion) { cut throws(PipelineError) in
      var start = WalkStart(cursor: cursor, isFromCursor: cursor != nil)
      if let from { start.parameters.append((plan.param, try sent(from, plan))) }
      if let name = plan.untilParam {
        start.parameters.append((name, try sent(try end(plan, cut?.now ?? walk.scope.now), plan)))
      }
      return start
    }
  }

  /// Piece after piece, the oldest first. One that is not complete is the last: a later one would move the cursor over
  /// what is missing.
  private func walkSlices(
    _ walk: Walk, _ plan: IncrementalPlan, _ memory: WalkMemory, _ completion: WalkMemory.Completion
  ) throws(PipelineError) {
    guard let length = plan.slice, plan.start != nil else {
      preconditionFailure("a slice has a start: the reader of mappings sees to it")
    }
    let cursor = try cursor(plan, memory)
    let left =
      options.isFull
      ? nil : try noting { () throws(StoreError) in try memory.slices(of: plan.type, at: fetcher.clock.epoch()) }
    guard var from = left?.next ?? origin(plan, cursor) else { throw outOfRange(plan) }
    let end = if let left { left.end } else { try self.end(plan, walk.scope.now) }
    let began = left?.began ?? completion.at
    // Ends: each piece begins where the one before ended, and pieces have a length.
    while (CursorValue.order(from, end) ?? 1) <= 0 {
      guard var until = from.minus(.zero - length) else { throw outOfRange(plan) }
      if (CursorValue.order(until, end) ?? 1) > 0 { until = end }
      let isLast = CursorValue.order(until, end) == 0
      var piece = walk
      piece.slice = Walk.Slice(from: from, until: until)
      let memory = self.memory(of: piece)
      let remembered =
        isLast ? memory.unsliced : memory.sliced(WalkMemory.Slices(next: until, end: end, began: began))
      let isComplete = try run(piece, memory, isLast ? completion : nil) { _ throws(PipelineError) in
        var start = WalkStart(cursor: try self.cursor(plan, memory), isFromCursor: cursor != nil)
        start.parameters.append((plan.param, try sent(from, plan)))
        if let name = plan.untilParam { start.parameters.append((name, try sent(until, plan))) }
        start.completing = [remembered]
        return start
      }
      if isLast || !isComplete { return }
      from = until
    }
    let name = session.plan.endpoints[walk.endpoint].name
    session.report(Message(.info, "endpoint '\(name)': nothing is asked, the cursor is behind the end"))
  }

  private func cursor(_ plan: IncrementalPlan, _ memory: WalkMemory) throws(PipelineError) -> CursorValue? {
    guard !options.isFull, let kept = try noting({ () throws(StoreError) in try memory.cursor() }) else { return nil }
    return CursorValue(kept: kept, type: plan.type)
  }

  /// What is asked from: the cursor, a little earlier where the mapping says so; before there is one, the start.
  private func origin(_ plan: IncrementalPlan, _ cursor: CursorValue?) -> CursorValue? {
    #if BROKEN_GREATER  // Tests/Scripts/broken.py shows that this is noticed.
      cursor.flatMap { $0.minus((plan.lookback ?? .zero) - .seconds(1)) } ?? plan.start
    #else
      cursor.flatMap { plan.lookback.map($0.minus) ?? $0 } ?? plan.start
    #endif
  }

  private func end(_ plan: IncrementalPlan, _ now: Instant) throws(PipelineError) -> CursorValue {
    guard let end = plan.end ?? CursorValue(now, type: plan.type) else { throw outOfRange(plan) }
    return end
  }

  private func sent(_ value: CursorValue, _ plan: IncrementalPlan) throws(PipelineError) -> String {
    guard let text = value.sent(format: plan.format) else { throw outOfRange(plan) }
    return text
  }

  private func outOfRange(_ plan: IncrementalPlan) -> PipelineError {
    PipelineError("the cursor of '\(plan.column)' is outside of the years 1 to 9999")
  }

  // MARK: one run of a walk

  /// False when the walk is not complete. `completion` is remembered when it is.
  private func run(
    _ walk: Walk, _ memory: WalkMemory, _ completion: WalkMemory.Completion?,
    start: (WalkMemory.Cut?) throws(PipelineError) -> WalkStart
  ) throws(PipelineError) -> Bool {
    let endpoints = try endpoints(answering: walk)
    var cut: WalkMemory.Cut?
    if !options.isFull, !WalkWatch(plan: session.plan, endpoints: endpoints).replaces {
      cut = try noting { () throws(StoreError) in try memory.cut(at: fetcher.clock.epoch()) }
    }
    while true {
      var beginning = try start(cut)
      beginning.cut = cut
      if let completion { beginning.completing.append(memory.completed(completion)) }
      let run = WalkRun(
        walk, start: beginning, session: session, fetcher: fetcher, memory: memory, options: options)
      do throws(PipelineError) {
        return try finish(run, walk, endpoints, memory, completion, known: beginning.validated)
      } catch {
        // The server may have forgotten the cursor meanwhile.
        guard cut != nil, error.kind == .failed, run.taken == 0, run.wasAnswered else { throw error }
        session.report(
          Message(.warning, "\(session.redacted(error).message); the walk, which was cut before, starts anew"))
        cut = nil
      }
    }
  }

  private func finish(
    _ run: WalkRun, _ walk: Walk, _ endpoints: [Int], _ memory: WalkMemory, _ completion: WalkMemory.Completion?,
    known: WalkMemory.Completion?
  ) throws(PipelineError) -> Bool {
    let rejected = session.summary.rejected
    var isComplete = false
    let isUndone = try session.walk(walk.identity(session.context), endpoints: endpoints) {
      () throws(PipelineError) in
      let close = try run.run()
      isComplete = close.isComplete
      return close
    }
    guard isComplete, var completion, !run.isContinued, !isUndone, session.summary.rejected == rejected else {
      return isComplete
    }
    let validators = run.wasUnchanged ? known?.validators : run.validators
    guard validators != nil || session.plan.endpoints[walk.endpoint].declaration.timeToLive != nil else { return true }
    completion.wasWhole = true
    completion.validators = validators
    try noting { () throws(StoreError) in try session.store.keep([memory.completed(completion)]) }
    return true
  }

  /// Those whose places apply to the endpoint's answers: its own path is one of its patterns.
  private func endpoints(answering walk: Walk) throws(PipelineError) -> [Int] {
    let builder = RequestBuilder(mapping: session.mapping, scope: walk.scope)
    let endpoint = session.plan.endpoints[walk.endpoint]
    let request = try builder.request(for: endpoint)
    let found = RouteExplanation(
      plan: session.plan, method: request.method, path: builder.routePath(of: request.url, for: endpoint), status: 200)
    let others = (found.matches + found.otherStatus).map(\.endpoint)
    return others.contains(walk.endpoint) ? others : others + [walk.endpoint]
  }
}
