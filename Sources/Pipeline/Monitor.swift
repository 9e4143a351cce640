import Glibc

/// State that several threads share, each of which may wait until it is as it needs it.
///
/// `@unchecked Sendable`: the state is only touched while the mutex is held, and both C objects stay where they are from
/// `init` to `deinit`.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A changed date does not touch waits.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Changes the state; whoever waits looks at it anew.
  @discardableResult
  package func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  package func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(state)
  }

  /// Waits until `take` gives something. It is asked again after each change, and may change the state itself.
  package func wait<Result: Sendable>(until take: (inout State) -> Result?) -> Result {
    while true {
      if let result = wait(atMost: .seconds(3600), until: take) { return result }
    }
  }

  /// The same; nil when the time is over.
  package func wait<Result: Sendable>(atMost time: Duration, until take: (inout State) -> Result?) -> Result? {
    var end = Self.moment(after: time)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&state) {
        pthread_cond_broadcast(changed)
        return result
      }
      if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return take(&state) }
    }
  }

  private static func moment(after time: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let (seconds, attoseconds) = time.components
    let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
    return timespec(
      tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  }
}
