import Synchronization

/// Cuts each walk once, as an interruption would: for tests of what a walk that is continued comes to.
final class WalkCutter: Sendable {
  private let pages: Int
  private let cut = Mutex<Set<String>>([])

  init(after pages: Int) { self.pages = pages }

  /// Is the walk to be cut now? Asked where another page is to come.
  func cuts(_ walk: String, after taken: Int) -> Bool {
    taken == pages && cut.withLock { $0.insert(walk).inserted }
  }

  /// How many walks were cut.
  var count: Int { cut.withLock { $0.count } }
}
