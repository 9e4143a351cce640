import Glibc

/// The lines of a feed whose windows end where lines end.
struct LineCursor {
  private let feed: WindowFeed
  /// Where the line at hand begins in the window, and ends, without its line feed.
  private(set) var start = 0
  private var end = 0
  /// Number of the line, from 1.
  private(set) var number = 0
  /// Its first position, and the first of the next line.
  private var firstToken = 0
  private var lastToken = 0
  /// The window's text ends in the line because something is wrong behind it.
  private var isCut = false
  /// Where the next line begins.
  private var following = 0

  init(_ feed: WindowFeed) { self.feed = feed }

  /// Goes to the next line that is not blank; false when there is none.
  mutating func advance() throws(JSONError) -> Bool {
    while true {
      let text = feed.text
      if following >= text.end {
        if text.isFinal { return false }
        try advanceWindow()
        continue
      }
      start = following
      number += 1
      let newline = memchr(text.bytes + start, Int32(Byte.newline), text.end - start)
      end = newline.map { $0 - UnsafeMutableRawPointer(text.bytes) } ?? text.end
      following = end + 1
      isCut = newline == nil && !text.isFinal
      firstToken = lastToken
      lastToken = token(from: firstToken, atLeast: end, text)
      if lastToken > firstToken || isCut { return true }
    }
  }

  private mutating func advanceWindow() throws(JSONError) {
    let start = feed.offset + feed.text.end
    do {
      try feed.advance(keeping: feed.text.end)
    } catch {
      throw JSONError(error.code, error.message, offset: error.offset - start, line: number + 1)
    }
    (following, lastToken) = (0, 0)
  }

  /// The first position that is not before `end`.
  private func token(from first: Int, atLeast end: Int, _ text: ScannedText) -> Int {
    var (low, step) = (first, 32)
    while low + step < text.count && text.start(low + step) < end {
      low += step
      step *= 2
    }
    var high = min(low + step, text.count)
    while low < high {
      let middle = (low + high) / 2
      if text.start(middle) < end { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The line as a text of its own, and what its end overwrites among the positions.
  func lend() -> (ScannedText, behind: UInt32) {
    var text = feed.text
    let behind = text.positions[lastToken]
    text.positions[lastToken] = UInt32(end)
    text.positions += firstToken
    text.count = lastToken - firstToken
    text.end = end
    text.isFinal = !isCut
    return (text, behind)
  }

  func takeBack(_ text: ScannedText, _ behind: UInt32) { text.positions[text.count] = behind }

  func error(_ fault: TextFault) -> JSONError {
    JSONError(fault.code, fault.message, offset: fault.at - start, line: number)
  }

  /// Why the line that is cut goes on no further.
  func cutError() -> JSONError {
    do {
      try feed.advance(keeping: start)
    } catch {
      return JSONError(error.code, error.message, offset: error.offset - feed.offset - start, line: number)
    }
    preconditionFailure("a line is cut only where the text cannot be read")
  }
}
