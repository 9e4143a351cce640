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

  /// Nothing is asked until a moment, by the clock that never goes back.
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
    package var waits: [Wait] = []
  }

  private struct State {
    var snapshot = Snapshot()
    var waits: [(number: Int, wait: Wait)] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let clock = SystemClock()

  package init() {}

  package var snapshot: Snapshot {
    state.withLock { state in
      var snapshot = state.snapshot
      snapshot.waits = state.waits.map(\.wait)
      return snapshot
    }
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
      let isAtWork = state.snapshot.endpoints.last?.name.utf8.elementsEqual(endpoint.utf8) ?? false
      if !isAtWork { state.snapshot.endpoints.append(Endpoint(name: endpoint, began: now)) }
      change(&state.snapshot.endpoints[state.snapshot.endpoints.count - 1])
    }
  }

  func beginWait(_ duration: Duration, _ reason: FetchWait) -> Int {
    let wait = Wait(until: clock.now() + duration, reason: reason)
    return state.withLock { state in
      state.count += 1
      state.waits.append((state.count, wait))
      return state.count
    }
  }

  func endWait(_ number: Int) { state.withLock { $0.waits.removeAll { $0.number == number } } }
}

/// Tells whoever watches a run what it waits for.
struct WatchedClock: FetchClock {
  let clock: any FetchClock
  let progress: RunProgress

  func now() -> Duration { clock.now() }
  func epoch() -> Duration { clock.epoch() }
  func sleep(_ duration: Duration) throws(FetchError) { try clock.sleep(duration) }

  func sleep(_ duration: Duration, for reason: FetchWait) throws(FetchError) {
    let number = progress.beginWait(duration, reason)
    defer { progress.endWait(number) }
    try clock.sleep(duration)
  }
}
