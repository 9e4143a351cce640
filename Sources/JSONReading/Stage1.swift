import CStage1

/// simdjson's stage 1: one scanner, used for window after window.
final class Stage1 {
  enum Verdict {
    case positions
    /// Nothing but white space.
    case blank
    /// The last string is not closed.
    case openString
    /// A control character in a string, or bytes that are not UTF-8.
    case broken
  }

  private let scanner: OpaquePointer

  init() {
    guard let scanner = stage1_create(1 << 12) else { preconditionFailure("there is memory for a scanner") }
    self.scanner = scanner
  }

  deinit { stage1_destroy(scanner) }

  /// Scans text that starts and should end outside a string.
  func scan(_ bytes: UnsafePointer<UInt8>, count: Int) -> Verdict {
    if count == 0 { return .blank }
    switch stage1_scan(scanner, bytes, count) {
    case 0: return .positions
    case 10, 13: return .broken
    case 12: return .blank
    case 14: return .openString
    case let code: preconditionFailure("a text of \(count) bytes can be scanned (simdjson error \(code))")
    }
  }

  /// How many positions the last scan gave.
  var count: Int { stage1_count(scanner) }

  /// The positions of the last scan, and behind them twice the end of the text.
  var positions: UnsafeMutablePointer<UInt32> { stage1_positions(scanner) }
}
