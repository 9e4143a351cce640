import Glibc

/// A thread of the system's, for work that blocks.
package struct WorkerThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Nil when the system has no thread left.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits for its end. Each thread is joined or detached, once.
  package func join() { pthread_join(thread, nil) }

  /// Nobody waits for its end.
  package func detach() { pthread_detach(thread) }
}
