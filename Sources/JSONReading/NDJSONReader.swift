/// Reads NDJSON: one value a line, each a body of its own. Stage 1 runs over a window of lines at once, and no memory is
/// asked for a line.
package final class NDJSONReader {
  private let states: PlaceStates
  private let isRootOnly: Bool
  private let limits: JSONLimits
  private let format: BodyFormat
  private let windowSize: Int
  private let isInterrupted: @Sendable () -> Bool

  /// `isInterrupted` is asked for each window, and while nothing comes: true ends the reading as `interrupted`.
  package convenience init(
    tree: PlaceTree, limits: JSONLimits = JSONLimits(), format: BodyFormat = BodyFormat(),
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(tree: tree, limits: limits, format: format, windowSize: 1 << 20, isInterrupted: isInterrupted)
  }

  init(
    tree: PlaceTree, limits: JSONLimits, format: BodyFormat, windowSize: Int,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.isInterrupted = isInterrupted
    states = PlaceStates(tree)
    isRootOnly = states.isRootOnly
    self.limits = limits
    var format = format
    format.isNDJSON = true
    self.format = format
    self.windowSize = windowSize
  }

  /// Reads line by line; blank lines are passed over. Lines are numbered from 1.
  ///
  /// `begin` is called before a line is read, `end` after it, with what is wrong with it, if anything, or its summary;
  /// records that were handed out between `begin` and a failure do not count. `end` says whether to go on; behind a broken
  /// line nothing is read. An error's line is that of the file, its offset, like a record's, is counted from the line's
  /// start. A summary names the root's members only when no record is the root. What the receiver or a hook throws ends
  /// the reading, without `end`.
  package func readLines<R: RecordReceiver>(
    _ source: BodySource, into receiver: inout R,
    begin: (_ line: Int, inout R) throws -> Void,
    end: (_ line: Int, _ failure: JSONError?, _ summary: BodySummary, inout R) throws -> Bool
  ) throws {
    let feed = try WindowFeed(source, format, limits: limits, size: windowSize, isInterrupted: isInterrupted)
    var lines = LineCursor(feed)
    var walker = BodyWalker(states, limits: limits, collects: false, text: feed.text, offset: 0)
    walker.notesNames = false
    var collector = BodyWalker(states, limits: limits, collects: true, text: feed.text, offset: 0)
    while true {
      let found: Bool
      do throws(JSONError) {
        found = try lines.advance()
      } catch {
        try begin(error.line, &receiver)
        _ = try end(error.line, error, walker.summary, &receiver)
        return
      }
      guard found else { return }
      try begin(lines.number, &receiver)
      if let failure = try read(lines, &walker, &collector, feed, into: &receiver) {
        _ = try end(lines.number, failure, walker.summary, &receiver)
        return
      }
      let goesOn =
        walker.isAtRootRecord || walker.summary.isEmpty || walker.summary.records > 0
        ? try end(lines.number, nil, walker.summary, &receiver)
        : try end(lines.number, nil, walker.summaryWithNames(), &receiver)
      if !goesOn { return }
    }
  }

  /// Reads the line at hand; returns what is wrong with it.
  private func read<R: RecordReceiver>(
    _ lines: borrowing LineCursor, _ walker: inout BodyWalker, _ collector: inout BodyWalker, _ feed: WindowFeed,
    into receiver: inout R
  ) throws -> JSONError? {
    let (text, behind) = lines.lend()
    defer { lines.takeBack(text, behind) }
    if states.readsTwice {
      collector.begin(text, offset: -lines.start)
      do throws(TextFault) {
        if case .more = try collector.next() { return lines.cutError() }
      } catch {
        return lines.error(error)
      }
      swap(&walker.collected, &collector.collected)
    }
    if isRootOnly {
      let isTaken: Bool
      do throws(TextFault) {
        isTaken = try walker.takeRoot(text, offset: -lines.start)
      } catch {
        return lines.error(error)
      }
      if isTaken {
        try receiver.receive(walker.record, at: walker.position, in: feed.window)
        return nil
      }
    }
    walker.begin(text, offset: -lines.start)
    while true {
      let event: BodyWalker.Event
      do throws(TextFault) {
        event = try walker.next()
      } catch {
        return lines.error(error)
      }
      switch event {
      case .record: try receiver.receive(walker.record, at: walker.position, in: feed.window)
      case .pruned:
        guard let document = walker.pruned else { preconditionFailure("a pruned record is a document") }
        try receiver.receive(document.root, at: walker.position, in: document)
      case .more: return lines.cutError()
      case .done: return nil
      }
    }
  }
}
