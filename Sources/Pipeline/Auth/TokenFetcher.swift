import Fetch
import MappingLanguage
import Store

/// Gets tokens by the means of one walk: its connection, its rate limit, its patience.
struct TokenFetcher {
  /// The name under which a source remembers its refresh token.
  static let stateName = "auth.refresh_token"

  let run: RunContext
  let endpoint: String
  var transport: any Transport
  var clock: any FetchClock
  var limiter: RateLimiter
  let retry: RetryPolicy
  let limits: FetchLimits
  let notes: NoteTaker
  /// What tokens are asked for by, if not by the means of the walk.
  var means: TokenMeans?

  /// One token, tried for as often as `retry` says. Another process may have replaced the refresh token since it was last
  /// used: the store is asked before, and once more when it is refused.
  func token(from issuer: any TokenIssuer, _ past: inout TokenHolder.Past) throws(FetchError) -> IssuedToken {
    past.saved = try newest(past.saved, for: issuer)
    if let refusal = past.refusal, refusal.refreshToken == past.saved?.token { throw refusal.error }
    var answer = try ask(issuer, past.saved)
    if case .none(let refusal) = answer, refusal.isByServer, let old = past.saved,
      let newer = try newest(old, for: issuer), !newer.token.utf8.elementsEqual(old.token.utf8)
    {
      try tell(refusal, isLast: false)
      past.saved = newer
      answer = try ask(issuer, newer)
    }
    switch answer {
    case .token(let issued):
      try take(issued, from: issuer, &past)
      return issued
    case .none(let refusal):
      try tell(refusal, isLast: true)
      if refusal.error.isFinal { past.refusal = (past.saved?.token, refusal.error) }
      throw refusal.error
    }
  }

  /// Why there is no token.
  private struct Refusal {
    var entry: ErrorEntry
    var error: FetchError
    /// The server has answered, and will not say otherwise when it is asked the same again.
    var isByServer: Bool
  }

  private enum Answer {
    case token(IssuedToken)
    case none(Refusal)
  }

  private func tell(_ refusal: Refusal, isLast: Bool) throws(FetchError) {
    var entry = refusal.entry
    if !isLast { entry.action = "retry" }
    try notes.tell(.error(entry))
    guard !isLast else { return }
    let text = "\(refusal.error.message); another process has replaced the refresh token: the newer one is used"
    try notes.tell(.message(Message(.info, text)))
  }

  /// The refresh token that is good now, as far as the store knows.
  private func newest(_ saved: SavedToken?, for issuer: any TokenIssuer) throws(FetchError) -> SavedToken? {
    guard issuer.rotates, let saved else { return saved }
    let question = Recollection(of: Self.stateName)
    try notes.tell(.recall(question))
    let newest = saved.newest(own: question.values.own, others: question.values.others)
    run.redactor.learn(newest.token)
    return newest
  }

  private func take(
    _ issued: IssuedToken, from issuer: any TokenIssuer, _ past: inout TokenHolder.Past
  ) throws(FetchError) {
    run.redactor.learn(issued.value)
    if Redactor.isTooShort(issued.value) {
      try notes.tell(
        .message(Message(.warning, "the token is shorter than 4 characters: it cannot be kept out of messages")))
    }
    guard issuer.rotates, let next = issued.refreshToken, let saved = past.saved else { return }
    run.redactor.learn(next)
    if next.utf8.elementsEqual(saved.token.utf8) { return }
    let replaced = saved.replaced(by: next)
    past.saved = replaced
    // It is on the disk before anything is done with its token: the old one may be worthless now.
    try notes.tell(.state(name: Self.stateName, value: replaced.text))
  }

  private func ask(_ issuer: any TokenIssuer, _ saved: SavedToken?) throws(FetchError) -> Answer {
    var request = issuer.request(refreshToken: saved?.token)
    request.asksForCredential = true
    switch try tries(of: request, from: issuer) {
    case .failure(let failure): return .none(refusal(failure, to: request, from: issuer))
    case .response(let response):
      do throws(TokenFault) {
        return .token(try issuer.token(in: response))
      } catch {
        // What else is in such a body may be a token.
        return .none(refusal(response, to: request, from: issuer, fault: error.sentence))
      }
    }
  }

  private func tries(of request: HTTPRequest, from issuer: any TokenIssuer) throws(FetchError) -> Retrier.Result {
    var retrier = Retrier(policy: retry, limiter: limiter, clock: clock)
    let result = try retrier.run(isIdempotent: issuer.isRepeatable) { response in
      (200..<300).contains(response.status) ? .accept : .reject(.usual)
    } note: { failure in
      guard case .retry(let wait) = failure.decision else { return }
      let what = failure.response.map { " answered \($0.status)" } ?? ": \(failure.error?.message ?? "")"
      let text = "\(issuer.title), \(run.shown(request))\(what); next try in \(wait.spoken)"
      notes.tell([.error(entry(failure, request)), .message(Message(.info, text))])
    } send: { () throws(FetchError) in
      try notes.throwProblem()
      return try transport.send(request, limits: limits)
    }
    try notes.throwProblem()
    return result
  }

  private func refusal(
    _ failure: Retrier.Failure, to request: HTTPRequest, from issuer: any TokenIssuer
  ) -> Refusal {
    var text = "\(issuer.title), \(run.shown(request))"
    if let response = failure.response {
      let words = RefusalWords(of: response, to: request, in: run)
      text += " answered \(response.status)\(words.text)"
      if words.isEmpty, let excerpt = Excerpt.text(of: response.body.source, by: run.redactor) {
        text += "; the body begins: \(excerpt)"
      }
      if let advice = issuer.advice(code: words.code) { text += "; \(advice)" }
    } else {
      text += ": \(failure.error?.message ?? "no answer came")"
    }
    if case .giveUp(let reason) = failure.decision, let sentence = TokenFetcher.sentence(reason) {
      text += " (\(sentence))"
    }
    var error = FetchError(.auth, text)
    if case .giveUp(.final) = failure.decision { error.isFinal = true }
    return Refusal(
      entry: entry(failure, request), error: error, isByServer: error.isFinal && failure.response != nil)
  }

  /// `idempotent` is not for these requests.
  private static func sentence(_ reason: RetryPolicy.Reason) -> String? {
    if case .maybeDone = reason { return "not tried again: the refresh token may be used up" }
    return reason.sentence
  }

  private func refusal(
    _ response: HTTPResponse, to request: HTTPRequest, from issuer: any TokenIssuer, fault: String
  ) -> Refusal {
    let words = RefusalWords(of: response, to: request, in: run)
    let entry = ErrorEntry(
      endpoint: endpoint, method: request.method, url: run.shownURL(of: request), status: response.status,
      code: words.code ?? FetchError.Code.auth.rawValue, message: words.message ?? fault, action: "fail")
    var text =
      "\(issuer.title), \(run.shown(request)) answered \(response.status)\(words.text), but gives no token: \(fault)"
    if let advice = issuer.advice(code: words.code) { text += "; \(advice)" }
    return Refusal(entry: entry, error: FetchError(.auth, text), isByServer: true)
  }

  private func entry(_ failure: Retrier.Failure, _ request: HTTPRequest) -> ErrorEntry {
    let words = failure.response.map { RefusalWords(of: $0, to: request, in: run) }
    let isRetried = if case .retry = failure.decision { true } else { false }
    return ErrorEntry(
      endpoint: endpoint, method: request.method, url: run.shownURL(of: request), status: failure.response?.status,
      code: words?.code ?? failure.error?.code.rawValue, message: words?.message ?? failure.error?.message,
      excerpt: failure.response.flatMap { Excerpt.text(of: $0.body.source, by: run.redactor) },
      action: isRetried ? "retry" : "fail", attempt: failure.attempt)
  }
}
