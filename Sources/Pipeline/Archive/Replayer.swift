import Fetch
import JSONReading
import Mapper
package import PlanCompiler
package import Store

/// `replay`: maps the answers of the archive again, in the order in which they were stored, without a request.
///
/// Its run is one transaction: between two answers rows may be older than they were. A replay sweeps nothing. Answers of walks before one that has removed rows of their scope are left out, so that no row comes back. Rows of a
/// record that walks replace, and that has no key, become again those of its last walk.
package struct Replayer {
  let session: RunSession
  let store: any ReadableStore
  private let query: ArchiveQuery
  private let router: ArchiveRouter

  /// `endpoint`: only what was asked of it.
  package init(session: RunSession, store: any ReadableStore, endpoint: String?) {
    self.session = session
    self.store = store
    query = ArchiveQuery(source: session.plan.source, endpoint: endpoint)
    router = ArchiveRouter(run: session.context)
  }

  /// Has the mapping this endpoint, be it one whose answers are archived or not?
  package static func check(_ name: String?, in plan: Plan) throws(PipelineError) {
    guard let name, !plan.endpoints.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return }
    let known = plan.endpoints.map { "'\($0.name)'" }.joined(separator: ", ")
    throw PipelineError(.refused, "no endpoint is named '\(name)'; there are \(known)")
  }

  package func replay() throws(PipelineError) {
    var tally = ReplayTally()
    var walk = ReplayedWalk(session: session, store: store)
    do throws(PipelineError) {
      try takeAll(&walk, &tally)
      try walk.end()
    } catch {
      walk.abandon()
      throw session.redacted(error)
    }
    try say(tally)
  }

  private func stored(_ body: () throws(StoreError) -> Void) throws(PipelineError) {
    do throws(StoreError) {
      try body()
    } catch {
      throw PipelineError(error, "the archive: \(error.message)")
    }
  }

  private func takeAll(_ walk: inout ReplayedWalk, _ tally: inout ReplayTally) throws(PipelineError) {
    var last: Int64 = 0
    // Ends: the archive does; numbers grow.
    while let answer = try next(after: last) {
      try session.checkInterruption()
      last = answer.id
      let matches = router.matches(answer.response)
      guard !matches.isEmpty else {
        tally.unmatched[answer.response.endpoint, default: 0] += 1
        walk.note(lacking: answer, "one of its answers matches nothing of this mapping")
        continue
      }
      let endpoints = matches.map(\.endpoint)
      try ReplayCheck(plan: session.plan).check(endpoints)
      switch try walk.enter(answer, endpoints: endpoints) {
      case .take:
        if case .ignored = try take(answer, matches) { walk.note(lacking: answer, "one of its answers was ignored") }
      case .leaveOut(let record): tally.leftOut[record, default: 0] += 1
      }
      tally.count += 1
    }
  }

  /// What stands in place of a secret is no value of the API.
  private func isRedacted(_ stored: StoredResponse) throws(PipelineError) -> Bool {
    if let noted = stored.response.isRedacted { return noted }
    let body = try stored.unpacked(from: store)
    return body.prefix(body.count).contains(Redactor.mark.utf8)
  }

  private func next(after id: Int64) throws(PipelineError) -> StoredResponse? {
    do throws(StoreError) {
      return try store.archived(query, after: id)
    } catch {
      throw PipelineError(error, "the archive cannot be read: \(error.message)")
    }
  }

  private func take(
    _ stored: StoredResponse, _ matches: [BodyContext.Match]
  ) throws(PipelineError) -> AnswerIntake.Taken {
    let response = stored.response
    let name = response.file ?? response.url ?? response.endpoint
    let endpoint = session.plan.endpoints[matches[0].endpoint]
    if response.status == 204 || response.status == 205, response.file == nil {
      session.intake.watch?.noteNothing(at: endpoint.places, of: name)
      return .taken
    }
    let body = try stored.unpacked(from: store)
    var context = router.context(response, matches: matches)
    context.redaction = Redaction(mark: Array(Redactor.mark.utf8), isInBody: try isRedacted(stored))
    var answer = HandedAnswer(
      source: body.source, format: BodyFormat(), context: context,
      endpoint: endpoint, name: name, method: response.method, url: response.url)
    do throws(FetchError) {
      answer.format = try router.format(stored, matches: matches)
    } catch {
      let failure = BodyFailure(.type, name: name, code: error.code.rawValue, message: error.message)
      throw try AnswerIntake(session: session).failed(failure, answer)
    }
    defer { withExtendedLifetime(body) {} }
    return try AnswerIntake(session: session).take(answer)
  }

  /// Is anything archived by this mapping?
  private var isKept: Bool {
    session.plan.endpoints.contains { endpoint in
      endpoint.isArchived && query.endpoint.map { endpoint.name.utf8.elementsEqual($0.utf8) } ?? true
    }
  }

  /// That the archive has nothing, and why.
  private var emptiness: String {
    let why =
      isKept
      ? "none has been kept since 'archive: true', or 'prune' has removed them"
      : "they are kept for endpoints with 'archive: true': write that, run once more, then replay"
    return "the archive has no answers\(query.endpoint.map { " of the endpoint '\($0)'" } ?? ""): \(why)"
  }

  private func say(_ tally: ReplayTally) throws(PipelineError) {
    for (endpoint, count) in tally.unmatched.sorted(by: { $0.key < $1.key }) {
      session.report(
        Message(
          .warning,
          "\(ReplayTally.answers(count)) of the endpoint '\(endpoint)' "
            + "\(count == 1 ? "matches" : "match") nothing of this mapping, and \(count == 1 ? "was" : "were") left out"
        ))
    }
    for (record, count) in tally.leftOut.sorted(by: { $0.key < $1.key }) {
      session.report(
        Message(
          .warning,
          "\(ReplayTally.answers(count)) \(count == 1 ? "was" : "were") left out: '\(record)' has no key and is "
            + "replaced by walks, and which of the answers are its last walk is not known; run once more"))
    }
    if tally.count == 0 && tally.unmatched.isEmpty {
      guard isKept else { throw PipelineError(.refused, emptiness) }
      session.report(Message(.warning, emptiness))
    } else {
      session.report(Message(.info, "\(ReplayTally.answers(tally.count)) mapped again"))
    }
    var obsolete = 0
    try stored { () throws(StoreError) in obsolete = try store.obsoleteCount(query) }
    guard obsolete > 0 else { return }
    session.report(
      Message(.info, "\(ReplayTally.answers(obsolete)) left out: later walks have removed rows that were in them"))
  }
}

/// What a replay has to tell.
struct ReplayTally {
  /// Answers that were taken.
  var count = 0
  /// By the endpoint that was asked.
  var unmatched: [String: Int] = [:]
  /// By the record on whose account they were.
  var leftOut: [String: Int] = [:]

  static func answers(_ count: Int) -> String {
    count == 1 ? "1 answer of the archive" : "\(count) answers of the archive"
  }
}

extension StoredResponse {
  /// The body as it was archived.
  func unpacked(from store: any ReadableStore) throws(PipelineError) -> ResponseBody {
    do throws(FetchError) {
      return try PackedBody.unpacked(size: size) { take throws(FetchError) in
        var offset = 0
        while true {
          let part: [UInt8]
          do throws(StoreError) {
            part = try store.archivedBytes(of: id, from: offset, count: 1 << 18)
          } catch {
            throw FetchError(.other, error.message)
          }
          if part.isEmpty { return }
          offset += part.count
          try take(part)
        }
      }
    } catch {
      let place = response.url.map { "\(response.method ?? "GET") \($0)" } ?? response.file ?? response.endpoint
      throw PipelineError(
        "the archived answer to \(place) (response_id \(id) of _ingest_responses) cannot be read: "
          + "\(error.message); restore a copy of the database, or delete that row and fetch again: 'ingest run --full'")
    }
  }
}
