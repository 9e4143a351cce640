import Fetch
import Synchronization

/// What tokens are asked for by, where that must come to its end although the run is asked to stop: the API may have
/// replaced a refresh token by the one in the answer.
struct TokenMeans {
  /// A signal is answered within two seconds.
  private static let grace = Duration.milliseconds(1500)

  var transport: any Transport
  let clock: any FetchClock
  let isStopped: FetchSupply.Stop

  init(_ supply: FetchSupply, _ run: RunContext) throws(FetchError) {
    let stop = LateStop(isInterrupted: run.isInterrupted, grace: Self.grace)
    isStopped = { stop.isStopped }
    clock = supply.clock(isStopped)
    transport = try supply.transport(isStopped)
  }
}

/// Stops so long after it was asked to.
private final class LateStop: Sendable {
  private let isInterrupted: FetchSupply.Stop
  private let grace: Duration
  private let clock = SystemClock()
  private let first = Mutex<Duration?>(nil)

  init(isInterrupted: @escaping FetchSupply.Stop, grace: Duration) {
    self.isInterrupted = isInterrupted
    self.grace = grace
  }

  var isStopped: Bool {
    guard isInterrupted() else { return false }
    let now = clock.now()
    return first.withLock { first in
      if first == nil { first = now }
      return now - (first ?? now) >= grace
    }
  }
}
