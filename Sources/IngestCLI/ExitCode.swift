/// How a command ended, as the shell sees it.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  /// Usage, a mapping error, a missing input file, a refused plan.
  case usage = 2
  case rejections = 3
  case interrupted = 130

  /// What the code says, as help prints it.
  package var meaning: String {
    switch self {
    case .done: "done, complete and unaltered"
    case .failed: "the run failed"
    case .usage: "usage or mapping error, missing input file, refused plan"
    case .rejections: "done, but records were rejected"
    case .interrupted: "interrupted"
    }
  }

  private var rank: Int {
    switch self {
    case .done: 0
    case .rejections: 1
    case .failed: 2
    case .usage: 3
    case .interrupted: 4
    }
  }

  /// The code of a command whose parts ended with these: 130 before 2 before 1 before 3 before 0.
  package static func worst(_ codes: [ExitCode]) -> ExitCode {
    codes.max { $0.rank < $1.rank } ?? .done
  }
}
