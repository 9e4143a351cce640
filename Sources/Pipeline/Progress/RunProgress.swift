package import Fetch
import Synchronization

/// How far a run has come, for whoever watches it, from any thread.
package final class RunProgress: Sendable {
  /// Of an endpoint.
  package struct Endpoint: Sendable, Hashable {
    package var name: String
    /// When its first walk began, by the clock that never goes back.
    package var began: Duration
    package var walks = 0
    package var pages = 0
    /// Before filters, of its places.
    package var records = 0
    /// How much of the walk at hand has come, as far as the API says how much there is.
    package var share: Share?
    /// When its last walk was behind.
    package var ended: Duration?

    package init(name: String, began: Duration) {
      self.name = name
      self.began = began
    }
  }

  /// So many of so many records or pages.
  package struct Share: Sendable, Hashable {
    package enum Unit: String, Sendable { case records, pages }

    package var done: Int
    package var all: Int
    package var unit: Unit

    package init(done: Int, all: Int, unit: Unit) {
      self.done = done
      self.all = all
      self.unit = unit
    }
  }

  /// The walk at hand asks nothing until a moment, by the clock that never goes back.
  package struct Wait: Sendable, Hashable {
    package var until: Duration
    package var reason: FetchWait

    package init(until: Duration, reason: FetchWait) {
      self.until = until
      self.reason = reason
    }
  }

  package struct Snapshot: Sendable {
    /// In the order in which they began; the last one is at work.
    package var endpoints: [Endpoint] = []
    package var wait: Wait?
  }

  private struct State {
    var endpoints: [Endpoint] = []
    /// By what it is a wait of: the number of a job, or nil where one request is made at a time.
    var waits: [Int?: Wait] = [:]
    var atHand: Int?
  }

  private let state = Mutex(State())
  private let clock = SystemClock()
  private let onChange: (@Sendable (Snapshot) -> Void)?
  /// Who is told of changes is told of one after the other.
  private let telling = Mutex(())

  /// `onChange` is told of each change, on the thread that made it.
  package init(onChange: (@Sendable (Snapshot) -> Void)? = nil) { self.onChange = onChange }

  package var snapshot: Snapshot {
    state.withLock { state in
      Snapshot(endpoints: state.endpoints, wait: state.waits[state.atHand])
    }
  }

  /// The walk whose requests have this number is the one at hand.
  func turn(to job: Int) {
    state.withLock { $0.atHand = job }
    tell()
  }

  func beginWalk(of endpoint: String) {
    let now = clock.now()
    change(endpoint, at: now) { found in
      found.walks += 1
      found.share = nil
    }
  }

  func notePage(of endpoint: String, records: Int, share: Share?) {
    change(endpoint, at: clock.now()) { found in
      found.pages += 1
      found.records += records
      found.share = share
    }
  }

  func end(_ endpoint: String) {
    let now = clock.now()
    change(endpoint, at: now) { $0.ended = now }
  }

  private func change(_ endpoint: String, at now: Duration, _ change: (inout Endpoint) -> Void) {
    state.withLock { state in
      let isAtWork = state.endpoints.last?.name.utf8.elementsEqual(endpoint.utf8) ?? false
      if !isAtWork { state.endpoints.append(Endpoint(name: endpoint, began: now)) }
      change(&state.endpoints[state.endpoints.count - 1])
    }
    tell()
  }

  private func tell() {
    guard let onChange else { return }
    telling.withLock { _ in onChange(snapshot) }
  }

  func beginWait(of job: Int?, _ duration: Duration, _ reason: FetchWait) {
    let wait = Wait(until: clock.now() + duration, reason: reason)
    state.withLock { $0.waits[job] = wait }
    tell()
  }

  func endWait(of job: Int?) {
    state.withLock { _ = $0.waits.removeValue(forKey: job) }
    tell()
  }
}

/// Tells whoever watches a run what it waits for.
struct WatchedClock: FetchClock {
  let clock: any FetchClock
  let progress: RunProgress
  /// The job that it serves just now.
  let walk: @Sendable () -> Int?

  func now() -> Duration { clock.now() }
  func epoch() -> Duration { clock.epoch() }
  func sleep(_ duration: Duration) throws(FetchError) { try clock.sleep(duration) }

  func sleep(_ duration: Duration, for reason: FetchWait) throws(FetchError) {
    let job = walk()
    progress.beginWait(of: job, duration, reason)
    defer { progress.endWait(of: job) }
    try clock.sleep(duration)
  }
}
