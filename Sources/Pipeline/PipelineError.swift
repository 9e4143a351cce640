import Store

/// Why a command ended early.
package struct PipelineError: Error, Sendable {
  package enum Kind: Sendable {
    /// The run failed: exit code 1.
    case failed
    /// The command or the mapping is wrong, or a plan was refused: exit code 2.
    case refused
    /// A signal asked to stop: exit code 130.
    case interrupted
  }

  package var kind: Kind
  /// For people: what happened, where, and what to do. Redacted already.
  package var message: String
  /// Of a run that was stopped: the endpoint, and the request that was under way or came last. Redacted already.
  package var place: String?
  /// Pages of the walk are stored, and the next run goes on behind them.
  package var isContinued = false

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// A signal asked to stop; what was committed stays.
  package static var interrupted: PipelineError {
    PipelineError(.interrupted, "the run was asked to stop; what it had committed stays, all else is undone")
  }

  /// What a store could not do; `message` says it in its place.
  init(_ error: StoreError, _ message: String) {
    switch error.code {
    case .interrupted: self = .interrupted
    case .refused: self.init(.refused, message)
    default: self.init(message)
    }
  }

  /// A run that failed.
  package init(_ message: String) { self.init(.failed, message) }
}
