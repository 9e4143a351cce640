import CStage1
import Glibc

/// Brings a body window by window, scanned by stage 1.
///
/// A window ends outside of a string: behind a line, else behind `},`, else behind a character. Bytes that the reader
/// has not used, and those behind a window's end, come again at the start of the next.
final class WindowFeed {
  private let source: TextBytes
  private let scanner: Stage1
  private let size: Int
  private let limits: JSONLimits
  private let isLenient: Bool
  /// Windows end where lines end.
  private let endsWithLines: Bool
  /// Windows that receivers may still hold; those that nobody holds are used again.
  private var pool: [Window] = []
  private(set) var window: Window
  /// Bytes in the window, those behind the text's end included.
  private var filled = 0
  private var isAtEnd = false
  private let isInterrupted: @Sendable () -> Bool
  /// The byte at the text's end, which is overwritten as long as the text is lent.
  private var behindEnd: UInt8 = 0
  /// What comes behind the text's end; thrown when that is asked for.
  private var failure: JSONError?
  private(set) var text: ScannedText
  /// Where the window begins in the body.
  private(set) var offset: Int
  private(set) var line = 1
  /// For tests: how many windows were made.
  private(set) var windowsMade = 1

  init(
    _ source: BodySource, _ format: BodyFormat, limits: JSONLimits, size: Int, scanner: Stage1 = Stage1(),
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(JSONError) {
    self.source = try TextBytes(source, format, isInterrupted: isInterrupted)
    self.isInterrupted = isInterrupted
    self.size = size
    self.limits = limits
    self.scanner = scanner
    isLenient = format.isLenient
    endsWithLines = format.isNDJSON
    offset = self.source.markLength
    window = Window(capacity: size)
    text = ScannedText(
      bytes: window.bytes, positions: scanner.positions, count: 0, end: 0, isFinal: false, isLenient: isLenient)
  }

  /// Brings the first window, or the next, which begins with the byte at `kept` of this one.
  func advance(keeping kept: Int) throws(JSONError) {
    if let failure { throw failure }
    precondition(!text.isFinal, "behind the last window there is none")
    if isInterrupted() { throw .interrupted(offset: offset, line: line) }
    if text.end < filled { window.bytes[text.end] = behindEnd }
    if kept == 0 { try checkLength(text.end) }
    move(keeping: kept)
    fill()
    while !scan() {
      // All of the window is one string, or one line.
      try checkLength(filled)
      move(keeping: 0)
      fill()
    }
  }

  /// So many bytes are not enough for what the window begins with.
  private func checkLength(_ length: Int) throws(JSONError) {
    guard length > min(limits.record, Int(UInt32.max) / 4) else { return }
    let what = endsWithLines ? "a line" : "a text"
    throw JSONError(
      .limitRecord,
      "\(what) that is longer than a record may be: \(limits.record) bytes (limits.record of the source, which may be "
        + "raised)",
      offset: offset, line: line)
  }

  private func newlines(upTo end: Int) -> Int { stage1_newlines(window.bytes, end) }

  /// Makes room behind the bytes that are kept.
  private func move(keeping kept: Int) {
    let rest = filled - kept
    let needed = max(size, rest * 2)
    offset += kept
    line += newlines(upTo: kept)
    filled = rest
    let start = UnsafePointer(window.bytes) + kept
    if isKnownUniquelyReferenced(&window), window.capacity >= needed, window.capacity <= needed * 4 {
      memmove(window.bytes, start, rest)
      return
    }
    let fresh = emptyWindow(needed)
    memcpy(fresh.bytes, start, rest)
    pool.append(window)
    window = fresh
    if pool.count > 8 { pool.removeFirst() }
  }

  private func emptyWindow(_ needed: Int) -> Window {
    for index in pool.indices where pool[index].capacity >= needed && pool[index].capacity <= needed * 4 {
      if isKnownUniquelyReferenced(&pool[index]) { return pool.remove(at: index) }
    }
    windowsMade += 1
    return Window(capacity: needed)
  }

  private func fill() {
    while filled < window.capacity && !isAtEnd {
      let taken = source.read(into: window.bytes + filled, count: window.capacity - filled)
      isAtEnd = taken == 0
      filled += taken
    }
    if isAtEnd, let fault = source.failure {
      failure = JSONError(fault.code, fault.message, offset: offset + filled, line: line + newlines(upTo: filled))
    }
  }

  /// Scans the window up to a good end; false when it holds no such end.
  private func scan() -> Bool {
    var isFinal = isAtEnd && failure == nil
    var end = isAtEnd ? filled : wantedEnd()
    if end == 0 && !isAtEnd { return false }
    var verdict = scanner.scan(window.bytes, count: end)
    if verdict == .openString && !isAtEnd && !endsWithLines {
      end = openQuote(before: end)
      if end == 0 { return false }
      verdict = scanner.scan(window.bytes, count: end)
    }
    if verdict == .openString || verdict == .broken {
      let located = LocatedFault.first(in: window.bytes, count: end)
      if failure == nil || !located.isOpenString {
        failure = located.fault.error(in: window.bytes, offset: offset, line: line)
      }
      (end, isFinal) = (located.cleanEnd, false)
      verdict = scanner.scan(window.bytes, count: end)
    }
    behindEnd = window.bytes[end]
    if end == filled { window.pad(from: end) } else { window.bytes[end] = 0 }
    text = ScannedText(
      bytes: window.bytes, positions: scanner.positions, count: verdict == .positions ? scanner.count : 0, end: end,
      isFinal: isFinal, isLenient: isLenient)
    if text.count == 0 { text.positions[0] = UInt32(end) }
    return true
  }

  /// Where a window that is not the last should end.
  private func wantedEnd() -> Int {
    let half = endsWithLines ? 0 : filled / 2
    let newline = last(Byte.newline, from: half, to: filled)
    if newline >= 0 { return newline + 1 }
    if endsWithLines { return 0 }
    var brace = last(Byte.closeBrace, from: half, to: filled - 1)
    while brace >= 0 {
      if window.bytes[brace + 1] == Byte.comma { return brace + 2 }
      brace = last(Byte.closeBrace, from: half, to: brace)
    }
    return wholeCharacters()
  }

  /// The end of the last character that is whole.
  private func wholeCharacters() -> Int {
    var lead = filled - 1
    while lead > 0 && filled - lead < 4 && window.bytes[lead] & 0xC0 == 0x80 { lead -= 1 }
    return UTF8Length.of(window.bytes + lead, filled - lead) > 0 || window.bytes[lead] < 0xC0 ? filled : lead
  }

  /// Where the last string begins, which is not closed before `end`.
  private func openQuote(before end: Int) -> Int {
    var end = end
    while true {
      let at = last(Byte.quote, from: 0, to: end)
      if at < 0 { return 0 }
      var first = at
      while first > 0 && window.bytes[first - 1] == Byte.backslash { first -= 1 }
      if (at - first) % 2 == 0 { return at }
      end = at
    }
  }

  /// Where a byte stands last in a part of the window; -1 when it does not.
  private func last(_ byte: UInt8, from start: Int, to end: Int) -> Int {
    let at = end > start ? stage1_last(window.bytes + start, end - start, byte) : -1
    return at < 0 ? -1 : start + at
  }
}
