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

  /// One token, tried for as often as `retry` says. `saved` is what the next refresh token is kept with.
  func token(
    from issuer: any TokenIssuer, refreshToken: String?, saved: SavedToken?
  ) throws(FetchError) -> IssuedToken {
    var request = issuer.request(refreshToken: refreshToken)
    request.asksForCredential = true
    let response = try answer(to: request, from: issuer)
    let issued: IssuedToken
    do throws(TokenFault) {
      issued = try issuer.token(in: response)
    } catch {
      // What else is in such a body may be a token.
      throw try refused(response, to: request, from: issuer, fault: error.sentence)
    }
    run.redactor.learn(issued.value)
    if Redactor.isTooShort(issued.value) {
      try notes.tell(
        .message(Message(.warning, "the token is shorter than 4 characters: it cannot be kept out of messages")))
    }
    if issuer.rotates, let next = issued.refreshToken { try keep(next, instead: refreshToken, saved) }
    return issued
  }

  /// A refresh token that replaces another one is on the disk before anything is done with its token: the old one may be
  /// worthless now.
  private func keep(_ next: String, instead refreshToken: String?, _ saved: SavedToken?) throws(FetchError) {
    run.redactor.learn(next)
    if let refreshToken, next.utf8.elementsEqual(refreshToken.utf8) { return }
    guard let saved else { return }
    try notes.tell(.state(name: Self.stateName, value: saved.replaced(by: next).text))
  }

  private func answer(
    to request: HTTPRequest, from issuer: any TokenIssuer
  ) throws(FetchError) -> HTTPResponse {
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
    switch result {
    case .response(let response): return response
    case .failure(let failure): throw try refused(failure, to: request, from: issuer)
    }
  }

  private func refused(
    _ failure: Retrier.Failure, to request: HTTPRequest, from issuer: any TokenIssuer
  ) throws(FetchError) -> FetchError {
    try notes.tell(.error(entry(failure, request)))
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
    return error
  }

  /// `idempotent` is not for these requests.
  private static func sentence(_ reason: RetryPolicy.Reason) -> String? {
    if case .maybeDone = reason { return "not tried again: the refresh token may be used up" }
    return reason.sentence
  }

  private func refused(
    _ response: HTTPResponse, to request: HTTPRequest, from issuer: any TokenIssuer, fault: String
  ) throws(FetchError) -> FetchError {
    let words = RefusalWords(of: response, to: request, in: run)
    try notes.tell(
      .error(
        ErrorEntry(
          endpoint: endpoint, method: request.method, url: run.shownURL(of: request), status: response.status,
          code: words.code ?? FetchError.Code.auth.rawValue, message: words.message ?? fault, action: "fail")))
    return FetchError(
      .auth,
      "\(issuer.title), \(run.shown(request)) answered \(response.status)\(words.text), but gives no token: "
        + "\(fault)")
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
