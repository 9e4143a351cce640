/// Reads bodies: finds the records at the places of a tree, checks everything else too, and needs no more memory than a
/// window and the largest record.
package final class BodyReader {
  private let states: PlaceStates
  let limits: JSONLimits
  private let format: BodyFormat
  private let windowSize: Int
  private let isInterrupted: @Sendable () -> Bool
  /// For tests: how many windows the last body took.
  private(set) var windowsMade = 0

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
    self.limits = limits
    self.format = format
    self.windowSize = windowSize
  }

  /// Must bodies be read twice, because records need what may stand behind them? Then the source must be repeatable.
  package var readsTwice: Bool { states.readsTwice }

  /// Hands out the records of a body. Throws a `JSONError`, or what the receiver throws; records that were handed out
  /// before an error do not count.
  package func read<R: RecordReceiver>(_ source: BodySource, into receiver: inout R) throws -> BodySummary {
    var collected: CollectedTexts?
    if states.readsTwice { collected = try collect(source) }
    let feed = try makeFeed(source)
    var walker = BodyWalker(states, limits: limits, collects: false, collected: collected, feed: feed)
    defer { windowsMade = feed.windowsMade }
    while true {
      switch try walker.next(in: feed) {
      case .record: try receiver.receive(walker.record, at: walker.position, in: feed.window)
      case .pruned:
        guard let document = walker.pruned else { preconditionFailure("a pruned record is a document") }
        try receiver.receive(document.root, at: walker.position, in: document)
      case .more: try walker.advance(feed)
      case .done: return walker.summaryWithNames()
      }
    }
  }

  private func makeFeed(_ source: BodySource) throws(JSONError) -> WindowFeed {
    var format = format
    format.isNDJSON = false
    let feed = try WindowFeed(source, format, limits: limits, size: windowSize, isInterrupted: isInterrupted)
    try feed.advance(keeping: 0)
    return feed
  }

  /// The first pass.
  func collect(_ source: BodySource) throws(JSONError) -> CollectedTexts {
    guard source.isRepeatable else {
      let message = "a body of which records read what may stand behind them has to be kept before it is read"
      throw JSONError(.io, message, offset: 0, line: 1)
    }
    let feed = try makeFeed(source)
    var walker = BodyWalker(states, limits: limits, collects: true, collected: nil, feed: feed)
    while true {
      switch try walker.next(in: feed) {
      case .record, .pruned: preconditionFailure("a collecting walk hands out nothing")
      case .more: try walker.advance(feed)
      case .done: return walker.collected
      }
    }
  }
}

extension BodyWalker {
  init(_ states: PlaceStates, limits: JSONLimits, collects: Bool, collected: CollectedTexts?, feed: WindowFeed) {
    self.init(states, limits: limits, collects: collects, text: feed.text, offset: feed.offset, collected: collected)
  }

  /// `next`, with its errors placed in the body.
  mutating func next(in feed: WindowFeed) throws(JSONError) -> Event {
    do {
      return try next()
    } catch {
      throw error.error(in: UnsafePointer(text.bytes), offset: feed.offset, line: feed.line)
    }
  }

  mutating func advance(_ feed: WindowFeed) throws(JSONError) {
    try feed.advance(keeping: keptStart)
    goOn(feed.text, offset: feed.offset)
  }
}
