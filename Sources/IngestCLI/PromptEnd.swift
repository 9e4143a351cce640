import Fetch
import Glibc
import Pipeline
import Synchronization

/// Ends a command that has nothing to undo as soon as a signal comes, wherever it is: it looks at whole documents, and
/// has no good place to stop at within one.
final class PromptEnd: Sendable {
  private static let pause = Duration.milliseconds(50)

  private let console: MessageWriter
  private let isStopped = Monitor(false)
  private let thread = Mutex<WorkerThread?>(nil)

  /// Watches from now on until `stop`.
  static func start(on console: Console) -> PromptEnd {
    Interruption.watch()
    let end = PromptEnd(console.messages)
    let thread = WorkerThread { [weak end] in end?.work() }
    end.thread.withLock { $0 = thread }
    return end
  }

  private init(_ console: MessageWriter) { self.console = console }

  func stop() {
    isStopped.change { $0 = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func work() {
    // Ends: with the command, or by a signal.
    while !(isStopped.wait(atMost: Self.pause) { $0 ? true : nil } ?? false) {
      guard Interruption.isAsked else { continue }
      console.write(.interrupted(PipelineError.interrupted.message))
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
