import CSQLite
import Glibc
import Store

/// Lets a statement end that runs long, or waits for another process, once the run is asked to stop.
///
/// It ends one statement. What comes then undoes the work and notes the end of the run, and is let alone, but waits for
/// no other process for long.
@safe final class StatementWatch {
  private let isInterrupted: @Sendable () -> Bool
  /// Statements are let alone for now.
  private var isOff = false
  /// The last failure is its doing, and not yet told.
  private var hasEndedOne = false
  private(set) var isSpent = false

  /// How long a statement waits for another process, in milliseconds: as a rule, and after a stop was asked for.
  private static let (longest, longestAfterStop): (Int32, Int32) = (5_000, 500)
  /// Instructions of SQLite's machine between two looks: some milliseconds.
  private static let pace: Int32 = 100_000

  init(_ isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }

  /// Both callbacks get `self`, which the connection holds as long as its handle.
  func attach(to handle: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, Self.pace, { unsafe StatementWatch.of($0).ends() ? 1 : 0 }, context)
    unsafe sqlite3_busy_handler(handle, { unsafe StatementWatch.of($0).waits(after: $1) ? 1 : 0 }, context)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> StatementWatch {
    guard let context = unsafe context else { preconditionFailure("the callbacks are given the watch") }
    return unsafe Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue()
  }

  private func ends() -> Bool {
    guard !isOff, !isSpent, isInterrupted() else { return false }
    (isSpent, hasEndedOne) = (true, true)
    return true
  }

  /// Sleeps; false when it was long enough. `times`: how often it has slept for this lock.
  private func waits(after times: Int32) -> Bool {
    if ends() { return false }
    let pause: Int32 = 20
    let most = isInterrupted() ? Self.longestAfterStop : Self.longest
    guard times * pause < most else { return false }
    usleep(UInt32(pause) * 1000)
    return true
  }

  /// Was the failure that came just now this one's doing?
  func hasEnded(_ status: Int32) -> Bool {
    guard hasEndedOne, [SQLITE_INTERRUPT, SQLITE_BUSY, SQLITE_LOCKED].contains(status & 0xff) else { return false }
    hasEndedOne = false
    return true
  }

  /// Lets the statements of `body` alone.
  func pause<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let before = isOff
    isOff = true
    defer { isOff = before }
    return try body()
  }
}
