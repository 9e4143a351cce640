import Synchronization

/// Asks runs to end early, from any thread.
///
/// ```swift
/// var run = Run(mapping: mapping, store: .sqlite("boats.db"))
/// let token = CancellationToken()
/// run.cancellation = token
/// run.onProgress = { if $0.pages >= 10 { token.cancel() } }
/// ```
///
/// A run looks at it between pages, between pieces of a body, and a few times a second while it waits. Then it throws
/// ``IngestError`` with the code ``IngestError/Code/cancelled``. What it had committed stays, and the next run continues
/// there. A token that was used stays cancelled.
public final class CancellationToken: Sendable {
  private let flag = Atomic<Bool>(false)

  /// A token that nobody has cancelled.
  public init() {}

  /// Whether somebody has asked to end.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks all runs that have the token to end.
  public func cancel() { flag.store(true, ordering: .relaxed) }
}
