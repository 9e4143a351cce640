import Glibc
import Synchronization

/// SIGINT and SIGTERM: the first asks the work to stop at the next good place, a further one ends the process at once.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  /// Has a signal come?
  static var isAsked: Bool { flag.load(ordering: .relaxed) }

  /// To be called by commands that ask `isAsked`. A signal that whoever started the process wants ignored stays ignored.
  static func watch() {
    // Made here, so that the handler does not have to make it.
    _ = isAsked
    for signal in [SIGINT, SIGTERM] {
      var old = sigaction()
      guard sigaction(signal, nil, &old) == 0, !isIgnored(old) else { continue }
      var action = sigaction()
      // No restart: a call that waits returns, and the flag is seen.
      action.__sigaction_handler.sa_handler = { _ in
        Interruption.flag.store(true, ordering: .relaxed)
        _ = Glibc.signal(SIGINT, SIG_DFL)
        _ = Glibc.signal(SIGTERM, SIG_DFL)
      }
      sigaction(signal, &action, nil)
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
  }
}
