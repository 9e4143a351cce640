/// Holds requests to `rate_limit`, and to what the server's own rate headers say.
///
/// `5/min` lets a request begin every 12 seconds, and not five at once: so no window of a minute, wherever a server
/// begins to count, holds more than five, and a run that is started anew has no burst either. The first one begins at
/// once. One limiter serves all requests of a source.
package final class RateLimiter {
  private let interval: Duration
  private let maxWait: Duration
  private let clock: any FetchClock
  private var next: Duration?
  private var pause: (until: Duration, request: ServerWait.Request)?

  /// Nil for `requests` sets no limit of its own; the server's are obeyed all the same.
  package init(requests: Int?, per period: Duration = .seconds(1), maxWait: Duration, clock: any FetchClock) {
    interval = requests.map { period / max(1, $0) } ?? .zero
    self.maxWait = maxWait
    self.clock = clock
  }

  /// Waits until the next request may begin.
  ///
  /// Throws `wait` at once when the server wants a longer pause than `max_wait`.
  package func acquire() throws(FetchError) {
    let now = clock.now()
    var begin = max(now, next ?? now)
    if let pause, pause.until > begin {
      guard pause.until - now <= maxWait else {
        throw FetchError(
          .wait,
          "the rate limit is used up: \(pause.request.origin) asks for a wait of \((pause.until - now).spoken), "
            + "longer than max_wait (\(maxWait.spoken))", nothingSent: true)
      }
      begin = pause.until
    }
    pause = nil
    next = begin + interval
    if begin > now { try clock.sleep(begin - now) }
  }

  /// Takes note of an answer: of a rate limit of which nothing remains, the next request waits for the reset.
  package func note(_ headers: [HTTPHeader]) {
    guard let request = ServerWait.beforeNext(headers: headers, epoch: clock.epoch()) else { return }
    let until = clock.now() + request.wait
    if until > pause?.until ?? .zero { pause = (until, request) }
  }
}
