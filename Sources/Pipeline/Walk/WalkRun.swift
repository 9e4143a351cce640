import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Store
import Values

/// How a walk begins.
struct WalkStart {
  /// A walk that was cut, to be continued.
  var cut: WalkMemory.Cut?
  /// Parameters that ask for what is newer than the cursor.
  var parameters: [(name: String, value: String)] = []
  /// The cursor as it is stored; it never goes back.
  var cursor: CursorValue?
  /// A cursor is sent: what is older is not asked for.
  var isFromCursor = false
  /// The complete run whose validators may be sent.
  var validated: WalkMemory.Completion?
  /// What is remembered when the walk is complete, beside its cursor.
  var completing: [StateChange] = []
  /// Records to which each page adds rows, whatever is stored.
  var appended: [String] = []
}

/// One walk under way: its pages are asked for and taken in, one after the other, and what is needed to go on after a
/// cut is kept with the rows of each.
final class WalkRun {
  private let session: RunSession
  private let endpoint: EndpointPlan
  private let walk: Walk
  private let answers: WalkAnswers
  private let memory: WalkMemory
  private let start: WalkStart
  private let cutter: WalkCutter?
  private let clock: any FetchClock
  private var pager: Pager?
  private var progress: WalkMemory.Cut
  /// Pages that this run has taken in.
  private(set) var taken = 0
  /// The answer to the request that failed last speaks against asking from there.
  private(set) var wasRefused = false
  /// Of a walk that was one GET.
  private(set) var validators: WalkMemory.Validators?
  private(set) var wasUnchanged = false
  /// The next run can go on behind the page that was taken last.
  private var isKept = false

  var isContinued: Bool { start.cut != nil }
  /// A walk that replaces takes effect at its end, so there is nothing to continue.
  private var isAtomic: Bool { session.intake.watch?.replaces ?? false }

  init(
    _ piece: PlannedPiece, start: WalkStart, session: RunSession, answers: WalkAnswers, _ clock: any FetchClock,
    options: WalkOptions
  ) {
    walk = piece.walk
    memory = piece.memory
    self.start = start
    self.session = session
    self.answers = answers
    cutter = options.cutter
    self.clock = clock
    endpoint = session.plan.endpoints[walk.endpoint]
    progress =
      start.cut
      ?? WalkMemory.Cut(
        began: clock.epoch(), now: walk.scope.now, pager: "", marks: [], largest: nil, hasEnded: false)
    pager = Pager.beginning(walk, start, session.context, options)
  }

  /// Asks for page after page, to the end of the walk. An interruption is told where it came.
  func run() throws(PipelineError) -> RunSession.WalkClose {
    do {
      return try pages()
    } catch {
      var failure = error
      guard error.kind == .interrupted else {
        failure.isContinued = error.kind == .failed && isKept && pager != nil && taken > 0
        throw failure
      }
      failure.place = "endpoint '\(endpoint.name)'\(lastAsked.map { ": \($0)" } ?? "")"
      throw failure
    }
  }

  private func pages() throws(PipelineError) -> RunSession.WalkClose {
    session.intake.mapper.watermark = endpoint.incremental.map { plan in
      Watermark(plan, largest: progress.largest.flatMap { CursorValue(kept: $0, type: plan.type) })
    }
    defer { session.intake.mapper.watermark = nil }
    session.context.progress.beginWalk(of: endpoint.name)
    session.detail { "endpoint '\(endpoint.name)': \(beginning)" }
    if progress.hasEnded { return close() }
    // Ends: the pager does, and without paging there is one request.
    while true {
      try session.checkInterruption()
      if let cutter, cutter.cuts(walk.identity(session.context).text, after: taken) { throw .interrupted }
      if let blocked = pager?.blocked, let close = try close(after: blocked, of: nil) { return close }
      let answer = try answers.next(pager, isFirst: taken == 0, note: note)
      switch answer.fetched {
      case .ended: return close()
      case .ignored: return partial("an answer was ignored")
      case .page(let page):
        if answer.isConditional, page.response.status == 304 { return unchanged() }
        if let close = try take(page) { return close }
      }
    }
  }

  private func note(_ note: FetchNote) throws(PipelineError) {
    if case .error(let entry) = note { wasRefused = entry.status.map(Self.speaksAgainstPosition) ?? false }
    try session.keep(note)
  }

  /// Not when the server is down, busy, or wants other credentials: the position is as good as before then.
  private static func speaksAgainstPosition(_ status: Int) -> Bool {
    status < 500 && ![401, 407, 408, 425, 429].contains(status)
  }

  // MARK: pages

  /// Takes a page in. Nil: there is another one.
  private func take(_ page: Page) throws(PipelineError) -> RunSession.WalkClose? {
    wasRefused = true
    // Without paging there is no page to come back.
    let digest = pager == nil ? BodyDigest() : BodyDigest(of: page.response.body)
    if pager?.repeats(digest) ?? false { return try close(after: .repeated(Pager.repeatedBody), of: page) }
    var (verdict, count) = (Pager.Next.end, 0)
    let said = pager?.warnings.count ?? 0
    let intake = PageIntake(session: session, builder: answers.requests.builder, endpoint: endpoint)
    session.intake.sumsRecords = pager != nil
    defer { session.intake.sumsRecords = false }
    do throws(PipelineError) {
      try intake.take(page, reading: pager?.bodyPaths ?? []) { records, answer in
        count = records.all
        verdict =
          self.pager?.next(records: records, answer: answer, body: digest, request: page.request) ?? .end
        if case .repeated(let reason) = verdict {
          throw BodyFailure(.value, name: "", code: "repeated-page", message: reason)
        }
        if let reason = page.shortfall(behind: verdict, isPaged: self.pager != nil) { verdict = .incomplete(reason) }
        try self.session.store.keep(try self.changes(after: verdict))
      }
    } catch {
      if case .repeated = verdict { try giveUp() }
      throw error
    }
    taken += 1
    session.context.progress.notePage(of: endpoint.name, records: count, share: pager?.share)
    session.detail { "endpoint '\(endpoint.name)': \(told(page, records: count))" }
    validators = taken == 1 && !isContinued ? answers.requests.validators(of: page, session.context) : nil
    for warning in (pager?.warnings ?? []).dropFirst(said) { warn("\(shown(page)): \(warning)") }
    for hint in pager?.hints ?? [] {
      let isOfMatter = session.intake.watch != nil || endpoint.incremental != nil
      let isNew = session.hints.insert("\(endpoint.name): \(hint)").inserted
      if isNew { say(isOfMatter ? .warning : .info, "\(shown(page)): \(hint)") }
    }
    return try close(after: verdict, of: page)
  }

  /// How the walk ends here; nil when another page is to be asked for.
  private func close(after next: Pager.Next, of page: Page?) throws(PipelineError) -> RunSession.WalkClose? {
    let failure: PipelineError
    switch next {
    case .page: return nil
    case .end: return close(isKept: session.intake.watch == nil)
    case .incomplete(let reason): return partial((page.map { "\(shown($0)): " } ?? "") + reason)
    case .bounded(let bound): return partial("it ends at \(bound) pages (max_pages)")
    case .overLimit(let limit):
      failure = self.failure(
        at: page,
        "there are more than \(limit) pages, the limit of the source (limits.pages); raise it if the API has so many")
    case .failed(let reason), .repeated(let reason):
      failure = self.failure(at: page, reason)
    case .short(let declared):
      failure = self.failure(
        at: page,
        "the API declares \(declared) records, \(pager?.received ?? 0) came; if rows went meanwhile, run again; if "
          + "'total' "
          + "counts something else, leave it out")
    }
    try giveUp()
    throw failure
  }

  /// A walk that contradicts itself is not continued.
  private func giveUp() throws(PipelineError) {
    isKept = false
    guard !isAtomic else { return }
    try forget()
    if let remark = AppendedRows(start.appended, pages: pager?.pages ?? taken).remark(isComing: true) { warn(remark) }
  }

  private func forget() throws(PipelineError) {
    do {
      try session.store.keep(memory.forgotten)
    } catch {
      throw error.code == .interrupted ? .interrupted : failure(error.message)
    }
  }

  /// What is remembered with the rows of a page.
  private func changes(after verdict: Pager.Next) throws -> [StateChange] {
    if let mark = session.intake.mapper.watermark {
      if mark.isMixed {
        throw BodyFailure(
          .value, name: "", code: "mixed-cursor",
          message: "'\(mark.plan.column)' holds numbers and texts, which do not follow one another: give it a type")
      }
      progress.largest = mark.largest?.kept
    }
    isKept = false
    guard !isAtomic else { return [] }
    switch verdict {
    case .page: break
    case .end where session.intake.watch == nil: return completing
    // Rows that were not seen go in a transaction of their own, and a cut may come before it.
    case .end: progress.hasEnded = true
    case .incomplete, .bounded, .overLimit, .failed, .repeated, .short: return memory.forgotten
    }
    progress.pager = pager?.saved ?? ""
    // What cannot be written down without a secret is not continued.
    if session.redactor.contains(Array(progress.pager.utf8)) { return memory.forgotten }
    isKept = !(session.mapping.store?.commitsRun ?? false)
    return memory.progressed(
      progress, page: pager?.pages ?? 1, newMarks: pager?.marks ?? [], isFirst: taken == 0 && !isContinued)
  }

  // MARK: the end

  private func close(isKept: Bool = false) -> RunSession.WalkClose {
    warnOfFuture()
    var obstacle: String?
    if isContinued { obstacle = "the walk was continued after a cut" }
    if start.isFromCursor { obstacle = "the walk began at a cursor" }
    return RunSession.WalkClose(
      obstacle: obstacle, isComplete: true, keeping: isKept ? [] : completing, forgetting: memory.forgotten)
  }

  /// Later runs would ask for nothing until then.
  private func warnOfFuture() {
    guard let plan = endpoint.incremental,
      let border = CursorValue(progress.now, type: plan.type)?.minus(.seconds(-86_400))
    else { return }
    let largest = progress.largest.flatMap { CursorValue(kept: $0, type: plan.type) }
    let known = [largest, start.cursor].compactMap(\.self)
    guard let ahead = known.first(where: { (CursorValue.order($0, border) ?? 0) > 0 }) else { return }
    warn(
      "the largest value of '\(plan.column)' is \(ahead.text), more than a day ahead of now: later runs ask from "
        + "there, "
        + "and get nothing that lies before; --full asks for all")
  }

  private func partial(_ reason: String) -> RunSession.WalkClose {
    warn("the walk is partial, \(reason)")
    return RunSession.WalkClose(
      obstacle: "the walk is partial, \(reason)", isComplete: false,
      keeping: memory.forgotten + [memory.ended(partial: session.redactor.redact(reason), at: clock.epoch())])
  }

  private func unchanged() -> RunSession.WalkClose {
    session.report(Message(.info, "endpoint '\(endpoint.name)': nothing has changed since the last run (304)"))
    wasUnchanged = true
    return RunSession.WalkClose(isUnchanged: true, isComplete: true, keeping: completing)
  }

  /// The walk is complete: its cursor moves, and nothing is left to continue.
  private var completing: [StateChange] {
    var changes = memory.forgotten + [memory.isWhole] + start.completing
    if let type = endpoint.incremental?.type,
      let largest = progress.largest.flatMap({ CursorValue(kept: $0, type: type) })
    {
      let isBehind = start.cursor.map { (CursorValue.order(largest, $0) ?? 1) <= 0 } ?? false
      if !isBehind { changes.append(memory.moved(to: largest)) }
    }
    return changes
  }

  // MARK: what is said

  /// Where the walk begins.
  private var beginning: String {
    var text = "a walk begins"
    let each = walk.scope.each.map { "\($0.name)=\($0.value.plainText)" }
    if !each.isEmpty { text += " for \(each.joined(separator: ", "))" }
    if isContinued { text += " where it was cut" }
    if start.isFromCursor { text += " at its cursor" }
    let asked = start.parameters.map { "\($0.name)=\($0.value)" }
    if !asked.isEmpty { text += " (\(asked.joined(separator: ", ")))" }
    return text
  }

  private func told(_ page: Page, records: Int) -> String {
    "\(shown(page)) answered \(page.response.status): \(records.counted("record")), "
      + "\(page.response.body.count) bytes"
  }

  private func shown(_ page: Page) -> String { session.context.shown(page.request) }

  /// The request that was asked for last, as it may be shown.
  private var lastAsked: String? { answers.asked.map { session.context.shown($0) } }

  /// A fault of the walk: at a page, or where none has come, at the last request.
  private func failure(at page: Page?, _ text: String) -> PipelineError {
    failure(((page.map { shown($0) } ?? lastAsked).map { "\($0): " } ?? "") + text)
  }

  private func failure(_ text: String) -> PipelineError { PipelineError("endpoint '\(endpoint.name)': \(text)") }

  private func warn(_ text: String) { say(.warning, text) }

  private func say(_ level: Message.Level, _ text: String) {
    session.report(Message(level, "endpoint '\(endpoint.name)': \(text)"))
  }
}

extension WalkMemory.Validators {
  /// Nil for an answer without validators, or to another request than a GET.
  init?(_ page: Page, _ run: RunContext) {
    guard page.request.method == "GET" else { return nil }
    self.init(
      url: run.shownURL(of: page.request), etag: page.response.header("ETag"),
      lastModified: page.response.header("Last-Modified"))
    if etag == nil, lastModified == nil { return nil }
  }
}
