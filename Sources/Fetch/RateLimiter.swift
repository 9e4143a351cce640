import Synchronization

/// Holds requests to `rate_limit`, and to what the server's own rate headers say.
///
/// `5/min` lets a request begin every 12 seconds, and not five at once: so no window of a minute, wherever a server
/// begins to count, holds more than five, and a run that is started anew has no burst either. The first one begins at
/// once. One limiter serves all requests of a source, on whatever threads they are made.
package final class RateLimiter: Sendable {
  private struct State {
    /// When the next request may begin.
    var next: Duration?
    /// What the server has asked for; nothing begins before.
    var pause: (until: Duration, request: ServerWait.Request)?
  }

  private let interval: Duration
  private let maxWait: Duration
  private let clock: any FetchClock
  private let state = Mutex(State())

  /// Nil for `requests` sets no limit of its own; the server's are obeyed all the same.
  package init(requests: Int?, per period: Duration = .seconds(1), maxWait: Duration, clock: any FetchClock) {
    interval = requests.map { period / max(1, $0) } ?? .zero
    self.maxWait = maxWait
    self.clock = clock
  }

  /// Waits until the next request may begin. `clock` is whose sleep it is; nil: the limiter's own.
  ///
  /// Throws `wait` at once when the server wants a longer pause than `max_wait`.
  package func acquire(sleepingBy clock: (any FetchClock)? = nil) throws(FetchError) {
    let clock = clock ?? self.clock
    var own: Duration?
    // Ends: each pause does, and who holds another one back asks for it by an answer of its own.
    while true {
      let now = clock.now()
      let begin = try state.withLock { state throws(FetchError) in
        if let end = try pauseEnd(state, now) {
          // Whoever waited for its turn waits for another one, so that they do not begin all at once.
          own = nil
          return end
        }
        let begin = own ?? max(now, state.next ?? now)
        if own == nil { state.next = begin + interval }
        own = begin
        return begin
      }
      guard begin > now else { return }
      try clock.sleep(begin - now, for: .rateLimit)
    }
  }

  /// Nil when there is no pause any more.
  private func pauseEnd(_ state: State, _ now: Duration) throws(FetchError) -> Duration? {
    guard let pause = state.pause, pause.until > now else { return nil }
    guard pause.until - now <= maxWait else {
      throw FetchError(
        .wait,
        "the rate limit is used up: \(pause.request.origin) asks for a wait of \((pause.until - now).spoken), "
          + "longer than retry.max_wait (\(maxWait.spoken)): run again when it is over, or raise "
          + "that", nothingSent: true)
    }
    return pause.until
  }

  /// Takes note of an answer: of a rate limit of which nothing remains, the next request waits for the reset.
  package func note(_ headers: [HTTPHeader]) {
    guard let request = ServerWait.beforeNext(headers: headers, epoch: clock.epoch()) else { return }
    hold(for: request)
  }

  /// Lets no request begin before the server's wait is over.
  package func hold(for request: ServerWait.Request) {
    let until = clock.now() + request.wait
    state.withLock { state in
      if until > state.pause?.until ?? .zero { state.pause = (until, request) }
    }
  }
}
