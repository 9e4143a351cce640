/// `retry`: which failures get another try, and when. A pure function of what it is told.
package struct RetryPolicy: Sendable, Hashable {
  package enum Backoff: Sendable, Hashable {
    case constant, exponential
  }

  /// How a try ended.
  package enum Outcome: Sendable {
    /// A failed answer. `rule` is what a rule of `errors` says of it.
    case answer(status: Int, headers: [HTTPHeader], rule: Rule = .usual)
    case failure(FetchError)
  }

  /// What a rule of `errors` makes of an answer.
  package enum Rule: Sendable, Hashable {
    /// No rule, or one without an action: the table decides.
    case usual
    /// `action: fail`
    case final
    /// `action: retry`; the wait that the rule's own `wait` names, or nil for the usual one.
    case retry(wait: ServerWait.Request?)
  }

  package enum Decision: Sendable, Hashable {
    case retry(after: Duration)
    case giveUp(Reason)
  }

  /// Why there is no further try.
  package enum Reason: Sendable, Hashable {
    /// No other try would end differently, or a rule says so.
    case final
    case attemptsUsedUp(Int)
    /// The request may have been carried out, and is not declared `idempotent: true`.
    case maybeDone
    case waitTooLong(ServerWait.Request, maxWait: Duration)

    /// What to add to the message of the failure; nil when there is nothing to add.
    package var sentence: String? {
      switch self {
      case .final: nil
      case .attemptsUsedUp(let count): count == 1 ? nil : "tried \(count) times"
      case .maybeDone: "not tried again: the server may have done it already (idempotent: true allows it)"
      case .waitTooLong(let request, let maxWait):
        "not tried again: \(request.origin) asks for a wait of \(request.wait.spoken), longer than retry.max_wait "
          + "(\(maxWait.spoken)): run again when it is over, or raise that"
      }
    }
  }

  /// All tries, the first one included.
  package var attempts: Int
  package var backoff: Backoff
  package var wait: Duration
  package var maxWait: Duration

  package init(
    attempts: Int = 5, backoff: Backoff = .exponential, wait: Duration = .seconds(1), maxWait: Duration = .seconds(120)
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.wait = wait
    self.maxWait = maxWait
  }

  /// Statuses that another try may mend.
  package static let statuses: [Int] = [408, 425, 429, 500, 502, 503, 504]

  /// What follows the try with that number, counted from 1.
  ///
  /// - Parameters:
  ///   - isIdempotent: may be sent again when it is not known whether it was carried out.
  ///   - epoch: now, since 1970; for waits that name a moment.
  package func decide(
    attempt: Int, outcome: Outcome, isIdempotent: Bool, epoch: Duration, using random: inout some RandomNumberGenerator
  ) -> Decision {
    var asked: ServerWait.Request?
    switch outcome {
    case .failure(let error):
      guard error.isTransient else { return .giveUp(.final) }
      guard isIdempotent || error.nothingSent else { return .giveUp(.maybeDone) }
    case .answer(_, _, .final): return .giveUp(.final)
    case .answer(let status, let headers, .usual):
      guard RetryPolicy.statuses.contains(status) else { return .giveUp(.final) }
      asked = ServerWait.afterFailure(status: status, headers: headers, epoch: epoch)
    case .answer(let status, let headers, .retry(let named)):
      asked = named ?? ServerWait.afterFailure(status: status, headers: headers, epoch: epoch)
    }
    guard attempt < attempts else { return .giveUp(.attemptsUsedUp(attempt)) }
    // A server that asks for no wait at all (`Retry-After: 0`, a date in the past) is not asked again at once.
    guard let asked, asked.wait > .zero || asked.isOfRule else {
      return .retry(after: pause(behind: attempt, using: &random))
    }
    guard asked.wait <= maxWait else { return .giveUp(.waitTooLong(asked, maxWait: maxWait)) }
    return .retry(after: asked.wait)
  }

  /// `wait`, doubled for each further try if it is exponential, and up to a quarter more by chance; never beyond
  /// `maxWait`. So many clients that failed at once do not come back at once.
  func pause(behind attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
    var base = wait
    if backoff == .exponential {
      // Ends: soon beyond any wait that can be declared.
      for _ in 1..<max(1, min(attempt, 40)) where base < maxWait { base *= 2 }
    }
    let chance = Double.random(in: 0..<1, using: &random)
    let most = max(wait, min(base, maxWait * 0.8))
    return min(maxWait, most + most * 0.25 * chance)
  }
}

/// Numbers by chance that a seed repeats (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
