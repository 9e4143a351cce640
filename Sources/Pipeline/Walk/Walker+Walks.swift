import Fetch
import MappingLanguage
import PlanCompiler
import Records
import Store
import Values

/// One walk: whether it is due, what is remembered of it, and how it is run.
extension Walker {
  func memory(of walk: Walk) -> WalkMemory {
    WalkMemory(
      store: session.store, scope: walk.identity(session.context).text,
      cursorScope: walk.wholeIdentity(session.context).text, version: versions[walk.endpoint])
  }

  /// The last complete run of the walk; nil also when nothing of it counts.
  func completion(of walk: Walk) throws(PipelineError) -> WalkMemory.Completion? {
    guard !options.isFull else { return nil }
    let memory = memory(of: walk)
    return try noting { () throws(StoreError) in try memory.completion() }
  }

  /// Nil when the walk is due.
  func reasonToPass(_ known: WalkMemory.Completion, _ walk: Walk, _ series: RunSeries) -> String? {
    let isSame = known.version == versions[walk.endpoint].text
    if series.isContinued, known.series == series.name, isSame {
      return "passed over: it was complete in the run that this one continues"
    }
    let age = fetcher.clock.epoch() - known.at
    guard let life = session.plan.endpoints[walk.endpoint].declaration.timeToLive, known.wasWhole,
      isSame, age >= .zero, age < life
    else { return nil }
    return "not asked: what is stored is \(age.spoken) old, and serves for \(life.spoken) (cache)"
  }

  func cursor(_ plan: IncrementalPlan, _ memory: WalkMemory) throws(PipelineError) -> CursorValue? {
    guard !options.isFull, let kept = try noting({ () throws(StoreError) in try memory.cursor() }) else { return nil }
    return CursorValue(kept: kept, type: plan.type)
  }

  // MARK: one run of a walk

  /// The answers of a walk whose turn has not come; nil where nothing is asked ahead.
  func answers(aheadOf piece: PlannedPiece, _ pool: FetchPool?) -> WalkAnswers? {
    guard let pool, !(piece.cut?.hasEnded ?? false) else { return nil }
    do throws(PipelineError) {
      let start = try beginning(of: piece, piece.cut)
      let answers = WalkAnswers(fetcher, WalkRequests(piece.walk, start, session.context), pool: pool)
      try answers.begin(Pager.beginning(piece.walk, start, session.context, options))
      return answers
    } catch {
      // It is said when its turn comes.
      return nil
    }
  }

  private func beginning(of piece: PlannedPiece, _ cut: WalkMemory.Cut?) throws(PipelineError) -> WalkStart {
    var start = try piece.start(cut)
    start.cut = cut
    start.appended = piece.appended
    if let completion = piece.completion { start.completing.append(piece.memory.completed(completion)) }
    return start
  }

  /// False when the walk is not complete. `ahead`: what was fetched before its turn.
  func run(_ piece: PlannedPiece, ahead: WalkAnswers?, _ pool: FetchPool?) throws(PipelineError) -> Bool {
    var (cut, ahead) = (piece.cut, ahead)
    if let notice = piece.notice { session.report(notice) }
    // Ends: the second time nothing is continued.
    while true {
      let start = try beginning(of: piece, cut)
      let answers = ahead ?? WalkAnswers(fetcher, WalkRequests(piece.walk, start, session.context), pool: pool)
      let run = WalkRun(piece, start: start, session: session, answers: answers, fetcher.clock, options: options)
      do throws(PipelineError) {
        let isComplete = try finish(run, piece, known: start.validated)
        try answers.end()
        return isComplete
      } catch {
        // Why the walk failed is the news.
        try? answers.end()
        // The server may have forgotten the cursor meanwhile.
        guard let old = cut, error.kind == .failed, run.taken == 0, run.wasRefused else { throw error }
        let remark = AppendedRows(piece.appended, pages: old.pages).remark(isComing: false).map { "; \($0)" } ?? ""
        session.report(
          Message(.warning, "\(session.redacted(error).message); the walk, which was cut before, starts anew\(remark)"))
        (cut, ahead) = (nil, nil)
      }
    }
  }

  private func finish(
    _ run: WalkRun, _ piece: PlannedPiece, known: WalkMemory.Completion?
  ) throws(PipelineError) -> Bool {
    let rejected = session.summary.rejected
    var isComplete = false
    let isUndone = try session.walk(piece.walk.identity(session.context), endpoints: piece.endpoints) {
      () throws(PipelineError) in
      let close = try run.run()
      isComplete = close.isComplete
      return close
    }
    guard isComplete, var completion = piece.completion, !run.isContinued, !isUndone,
      session.summary.rejected == rejected
    else {
      return isComplete
    }
    let validators = run.wasUnchanged ? known?.validators : run.validators
    guard validators != nil || session.plan.endpoints[piece.walk.endpoint].declaration.timeToLive != nil else {
      return true
    }
    completion.wasWhole = true
    completion.validators = validators
    try noting { () throws(StoreError) in try session.store.keep([piece.memory.completed(completion)]) }
    return true
  }

  /// Those whose places apply to the endpoint's answers: its own path is one of its patterns.
  func endpoints(answering walk: Walk) throws(PipelineError) -> [Int] {
    let builder = RequestBuilder(mapping: session.mapping, scope: walk.scope)
    let endpoint = session.plan.endpoints[walk.endpoint]
    let request = try builder.request(for: endpoint)
    let found = RouteMatches(
      plan: session.plan, method: request.method, path: builder.routePath(of: request.url, for: endpoint), status: 200)
    let others = (found.matches + found.otherStatus).map(\.endpoint)
    return others.contains(walk.endpoint) ? others : others + [walk.endpoint]
  }
}
