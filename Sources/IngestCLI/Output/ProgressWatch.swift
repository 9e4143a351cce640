import Fetch
import Glibc
import Pipeline

/// Shows how far a run is while it works: on a terminal as a line that changes, one for each endpoint; elsewhere as a
/// message now and then.
final class ProgressWatch: Sendable {
  private static let pause = Duration.milliseconds(100)
  /// How often it is said where there is no terminal.
  private static let interval = Duration.seconds(30)

  private let progress: RunProgress
  private let messages: MessageWriter
  private let thread = WatchingThread()

  /// Nothing is shown with `-q`.
  static func start(_ progress: RunProgress, on console: Console) -> ProgressWatch {
    let watch = ProgressWatch(progress, console.messages)
    guard console.messages.options.verbosity != .quiet else { return watch }
    watch.thread.start { [weak watch] thread in watch?.work(thread) }
    return watch
  }

  private init(_ progress: RunProgress, _ messages: MessageWriter) {
    self.progress = progress
    self.messages = messages
  }

  /// Draws what is left to draw.
  func stop() { thread.stop() }

  private func work(_ thread: WatchingThread) {
    let clock = SystemClock()
    var (left, last) = (0, clock.now())
    var isLast = false
    while true {
      let snapshot = progress.snapshot
      if let line = messages.line {
        draw(snapshot, on: line, isLast: isLast, left: &left, now: clock.now())
      } else if clock.now() - last >= Self.interval, let endpoint = snapshot.endpoints.last, endpoint.ended == nil {
        last = clock.now()
        let text = ProgressText.sentence(endpoint, wait: snapshot.wait, now: last)
        messages.write(LogMessage(.info, "endpoint '\(endpoint.name)' so far: \(text)"))
      }
      if isLast { return }
      isLast = thread.pause(Self.pause)
    }
  }

  /// Endpoints that are behind are left standing.
  private func draw(
    _ snapshot: RunProgress.Snapshot, on line: ProgressLine, isLast: Bool, left: inout Int, now: Duration
  ) {
    let width = Self.columns - 1
    let current = snapshot.endpoints.last.flatMap { $0.ended == nil && !isLast ? $0 : nil }
    for endpoint in snapshot.endpoints.dropFirst(left).dropLast(current == nil ? 0 : 1) {
      line.leave(text(endpoint, nil, now, width))
      left += 1
    }
    if let current { line.show(text(current, snapshot.wait, now, width)) }
  }

  private func text(
    _ endpoint: RunProgress.Endpoint, _ wait: RunProgress.Wait?, _ now: Duration, _ width: Int
  ) -> String {
    messages.safe(ProgressText.line(endpoint, wait: wait, now: now, width: width))
  }

  private static var columns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
  }
}
