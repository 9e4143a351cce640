package import Pipeline

extension ExitCode {
  /// The code of a command that ran to its end: 3 when more was rejected, in all of its runs, than is allowed.
  package static func after(_ summaries: [RunSummary], allowing limit: MaxRejects?) -> ExitCode {
    let rejected = summaries.reduce(0) { $0 + $1.rejected }
    let received = summaries.reduce(0) { $0 + $1.received }
    guard rejected > 0 else { return .done }
    return limit?.allows(rejected, of: received) == true ? .done : .rejections
  }
}
