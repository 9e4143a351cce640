import CSQLite
import Glibc
import Store

extension Connection {
  /// How long a statement waits for another process, in milliseconds; and once the run was asked to stop, when what is
  /// left is to note that.
  private static let (longestWait, longestWaitAtTheEnd): (Int32, Int32) = (5_000, 500)
  private static let pause: Int32 = 20

  /// From now on statements wait while another process writes, though no longer than the run may go on.
  func waitForOthers() {
    unsafe sqlite3_busy_handler(
      handle,
      { context, times in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().waits(after: times) ? 1 : 0
      }, unsafe Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sleeps; false when it was long enough. `times`: how often it has slept for this lock.
  private func waits(after times: Int32) -> Bool {
    let isStopped = isInterrupted?() ?? false
    hasStoppedWaiting = isStopped && !isEnding
    if hasStoppedWaiting { return false }
    guard times * Self.pause < (isStopped ? Self.longestWaitAtTheEnd : Self.longestWait) else { return false }
    usleep(UInt32(Self.pause) * 1000)
    return true
  }

  /// Runs what notes the end of the work, or undoes it: that waits too, for a while, though the run was asked to stop.
  func ending<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let before = isEnding
    isEnding = true
    defer { isEnding = before }
    return try body()
  }

  /// Why a lock was not had.
  func busy() -> StoreError {
    if hasStoppedWaiting {
      hasStoppedWaiting = false
      return StoreError(.interrupted, "the run was asked to stop while another process held '\(path)'")
    }
    return StoreError(
      .busy,
      "'\(path)' is locked by another process (which 'fuser' names); wait until it is done, then run again")
  }
}
