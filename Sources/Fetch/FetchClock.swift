import Glibc

/// Time as fetching needs it; tests bring their own.
package protocol FetchClock: Sendable {
  /// Since some fixed moment; never goes back.
  func now() -> Duration
  /// Since 1970, in UTC, as the system believes.
  func epoch() -> Duration
  /// Throws `interrupted` when a signal asks to stop.
  func sleep(_ duration: Duration) throws(FetchError)
  /// The same, where somebody may want to know what is waited for.
  func sleep(_ duration: Duration, for reason: FetchWait) throws(FetchError)
}

/// What a run waits for before its next request.
package enum FetchWait: String, Sendable {
  case rateLimit = "rate limit"
  case nextTry = "next try"
}

extension FetchClock {
  package func sleep(_ duration: Duration, for reason: FetchWait) throws(FetchError) { try sleep(duration) }
}

/// The system's clocks. Waits go by the monotonic one, so that a changed date does not touch them.
package struct SystemClock: FetchClock {
  /// How soon a signal is noticed.
  static let slice = Duration.milliseconds(200)

  private let isInterrupted: @Sendable () -> Bool

  package init(isInterrupted: @escaping @Sendable () -> Bool = { false }) { self.isInterrupted = isInterrupted }

  package func now() -> Duration { SystemClock.read(CLOCK_MONOTONIC) }
  package func epoch() -> Duration { SystemClock.read(CLOCK_REALTIME) }

  package func sleep(_ duration: Duration) throws(FetchError) {
    let end = now() + duration
    while true {
      if isInterrupted() { throw .interrupted }
      let rest = min(end - now(), SystemClock.slice)
      guard rest > .zero else { return }
      let (seconds, attoseconds) = rest.components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      nanosleep(&time, nil)
    }
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension FetchError {
  package static var interrupted: FetchError { FetchError(.interrupted, "the run was asked to stop") }
}

extension Duration {
  /// Whole milliseconds, rounded up, within what C takes.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1 << 30 else { return Int(Int32.max) }
    return max(0, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// `250 ms`, `30 s`, `1.5 s`, for messages.
  package var spoken: String {
    let count = milliseconds
    if count < 1000 { return "\(count) ms" }
    let tenths = count % 1000 / 100
    return tenths == 0 ? "\(count / 1000) s" : "\(count / 1000).\(tenths) s"
  }
}
