/// Sends a request until it succeeds or `RetryPolicy` gives up.
package struct Retrier {
  /// What the caller makes of an answer, whatever its status.
  package enum Judgement: Sendable {
    /// It is what was asked for.
    case accept
    /// It is a failure; the rule says what a rule of `errors` makes of it.
    case reject(RetryPolicy.Rule)
  }

  /// A try that failed, for the log and the table of errors.
  package struct Failure: Sendable {
    /// From 1.
    package var attempt: Int
    /// Nil when there was no answer.
    package var response: HTTPResponse?
    package var error: FetchError?
    package var decision: RetryPolicy.Decision
  }

  package enum Result: Sendable {
    case response(HTTPResponse)
    /// The last failure, after which there was no other try.
    case failure(Failure)
  }

  private let policy: RetryPolicy
  private let clock: any FetchClock
  private let limiter: RateLimiter
  private var random: SeededRandom

  package init(
    policy: RetryPolicy, limiter: RateLimiter, clock: any FetchClock, seed: UInt64 = .random(in: 0...UInt64.max)
  ) {
    self.policy = policy
    self.limiter = limiter
    self.clock = clock
    random = SeededRandom(seed: seed)
  }

  /// Runs the tries, each made by `send`. `note` sees each failure, the last one included, before the wait that follows it.
  ///
  /// Throws only when the run was asked to stop, or the server's rate limit asks for too long a wait before a request.
  package mutating func run(
    isIdempotent: Bool, judge: (HTTPResponse) -> Judgement, note: (Failure) -> Void,
    send: () throws(FetchError) -> HTTPResponse
  ) throws(FetchError) -> Result {
    var attempt = 1
    // Ends: the policy gives up after its number of tries.
    while true {
      try limiter.acquire(sleepingBy: clock)
      let failure: Failure
      do throws(FetchError) {
        let response = try send()
        guard case .reject(let rule) = judge(response) else {
          limiter.note(response.headers)
          return .response(response)
        }
        let outcome = RetryPolicy.Outcome.answer(status: response.status, headers: response.headers, rule: rule)
        failure = Failure(attempt: attempt, response: response, decision: decide(attempt, outcome, isIdempotent))
        holdOthers(outcome, failure.decision)
      } catch {
        if error.code == .interrupted { throw error }
        failure = Failure(attempt: attempt, error: error, decision: decide(attempt, .failure(error), isIdempotent))
      }
      note(failure)
      guard case .retry(let wait) = failure.decision else {
        if let response = failure.response { limiter.note(response.headers) }
        return .failure(failure)
      }
      try clock.sleep(wait, for: .nextTry)
      attempt += 1
    }
  }

  /// A server that asks to be left alone means all requests of the source.
  private func holdOthers(_ outcome: RetryPolicy.Outcome, _ decision: RetryPolicy.Decision) {
    guard case .retry(let wait) = decision, case .answer(let status, let headers, let rule) = outcome else { return }
    let asked = ServerWait.afterFailure(status: status, headers: headers, epoch: clock.epoch())
    switch rule {
    case .retry(let named?): limiter.hold(for: named)
    case .usual, .retry(nil):
      if let asked, [429, 503].contains(status) {
        limiter.hold(for: ServerWait.Request(wait: wait, origin: asked.origin))
      }
    case .final: break
    }
  }

  private mutating func decide(
    _ attempt: Int, _ outcome: RetryPolicy.Outcome, _ isIdempotent: Bool
  ) -> RetryPolicy.Decision {
    policy.decide(
      attempt: attempt, outcome: outcome, isIdempotent: isIdempotent, epoch: clock.epoch(), using: &random)
  }
}
