import Glibc
import Pipeline

/// Ends a command that has nothing to undo as soon as a signal comes, wherever it is: it looks at whole documents, and
/// has no good place to stop at within one.
final class PromptEnd: Sendable {
  private static let pause = Duration.milliseconds(50)

  private let console: MessageWriter
  private let thread = WatchingThread()

  /// Watches from now on until `stop`.
  static func start(on console: Console) -> PromptEnd {
    Interruption.watch()
    let end = PromptEnd(console.messages)
    end.thread.start { [weak end] thread in end?.work(thread) }
    return end
  }

  private init(_ console: MessageWriter) { self.console = console }

  func stop() { thread.stop() }

  private func work(_ thread: WatchingThread) {
    // Ends: with the command, or by a signal.
    while !thread.pause(Self.pause) {
      guard Interruption.isAsked else { continue }
      console.write(.interrupted(PipelineError.interrupted.message))
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
