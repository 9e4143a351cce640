/// The line of a place as it is shown: the line itself, and what stands below it to underline the place.
struct SourceExcerpt {
  private static let longestLine = 160
  private static let shownBefore = 60

  /// The line, its control characters escaped, cut where it is long.
  let line: String
  /// Blanks up to the place; a tab stays a tab, so that the carets stand below it at any tab width.
  let indent: String
  /// One caret for each character shown of the place, at least one.
  let carets: String

  /// `isMasked`: what is at the place is a secret.
  init(of span: SourceSpan, isMasked: Bool = false) {
    // Of a line of megabytes, only what may be shown.
    let skipped = max(0, span.start.column - 1 - Self.shownBefore - Self.longestLine)
    let line = span.file.line(span.start.line)
    var (pieces, isCut) = Self.pieces(of: line, behind: skipped, upTo: span.start.column - 1 + 2 * Self.longestLine)
    let start = span.start.column - 1 - skipped
    let end = span.end.line == span.start.line ? span.end.column - 1 - skipped : pieces.count
    if isMasked {
      for index in min(start, pieces.count)..<min(max(start, end), pieces.count) { pieces[index] = "*" }
    }
    let isLong = isCut || pieces.count > Self.longestLine
    let first = isLong ? max(0, min(start - Self.shownBefore, pieces.count - Self.longestLine)) : 0
    let last = isLong ? min(pieces.count, first + Self.longestLine) : pieces.count
    let isBegun = skipped + first > 0
    self.line = (isBegun ? "…" : "") + pieces[first..<last].joined() + (isCut || last < pieces.count ? "…" : "")
    let before = pieces[first..<max(first, min(start, last))]
    indent =
      (isBegun ? " " : "") + before.map { $0 == "\t" ? $0 : Self.repeated(" ", $0.unicodeScalars.count) }.joined()
    let marked = pieces[max(first, min(start, last))..<max(first, min(max(start, end), last))]
    carets = Self.repeated("^", max(1, marked.reduce(0) { $0 + $1.unicodeScalars.count }))
  }

  /// What is shown for the scalars of the line with these numbers; a byte that is no UTF-8 is shown by its number. `isCut`:
  /// there are more behind them.
  private static func pieces(
    of line: ArraySlice<UInt8>, behind skipped: Int, upTo end: Int
  ) -> (pieces: [String], isCut: Bool) {
    var pieces: [String] = []
    var rest = line
    var number = 0
    while !rest.isEmpty {
      if number == end { return (pieces, true) }
      var length = 1
      while length < 4, rest.count > length, rest[rest.startIndex + length] & 0xC0 == 0x80 { length += 1 }
      let scalar = rest.prefix(length)
      rest = rest.dropFirst(length)
      number += 1
      if number <= skipped { continue }
      if let text = String(validating: scalar, as: UTF8.self) {
        pieces.append(VisibleText.escaped(text, keepingTabs: true))
      } else {
        pieces.append(scalar.map { "\\x" + VisibleText.hexadecimal(UInt32($0), digits: 2) }.joined())
      }
    }
    return (pieces, false)
  }

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}
