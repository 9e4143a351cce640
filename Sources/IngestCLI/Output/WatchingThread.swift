import Pipeline
import Synchronization

/// A thread that looks now and then at what another one does, until it is told to stop.
final class WatchingThread: Sendable {
  private let isStopped = Monitor(false)
  private let thread = Mutex<WorkerThread?>(nil)

  /// `work` gets this thread's object, by which it waits; it must end once `pause` says so.
  func start(_ work: @escaping @Sendable (WatchingThread) -> Void) {
    let worker = WorkerThread { [weak self] in
      if let self { work(self) }
    }
    thread.withLock { $0 = worker }
  }

  /// Waits for the work to end.
  func stop() {
    isStopped.change { $0 = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// Says whether it is time to end.
  func pause(_ time: Duration) -> Bool { isStopped.wait(atMost: time) { $0 ? true : nil } ?? false }
}
