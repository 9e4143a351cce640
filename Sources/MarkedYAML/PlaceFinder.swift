import Diagnostics

/// Finds the place of a node in the bytes of its file, where libyaml's marks say less or more than that.
struct PlaceFinder {
  let file: SourceFile
  let scalarsBefore: Int

  /// The byte offset of one of libyaml's marks, which count scalars.
  func offset(_ mark: Int) -> Int { file.offset(ofScalar: mark + scalarsBefore) }

  func span(_ range: Range<Int>) -> SourceSpan { file.span(range.lowerBound, range.upperBound) }

  /// The place of a scalar behind its anchor and tag; and whether one of these is a bare `!`, which libyaml conceals.
  func scalar(_ event: YAMLEvent, style: YAMLEvent.Style) -> (place: Range<Int>, isMarkedText: Bool) {
    let (start, end) = (offset(event.start), offset(event.end))
    let (first, isMarkedText) = behindProperties(start..<end)
    guard style == .block else { return (first..<end, isMarkedText) }
    var last = end
    while last > first + 1, isBlank(last - 1) { last -= 1 }
    return (first..<last, isMarkedText)
  }

  /// Where a collection begins, behind its anchor and tag.
  func collection(_ event: YAMLEvent, _ properties: YAMLEvent.Collection) -> Int {
    let start = offset(event.start)
    guard properties.anchor != nil || properties.tag != nil else { return start }
    // The mark of a block collection's start may end where its properties do.
    return behindProperties(start..<file.bytes.count).start
  }

  /// Behind the colon of the key that ends at the offset; the key's own end when it has no colon.
  func behindColon(_ keyEnd: Int) -> Int {
    let next = skipBlanks(keyEnd, file.bytes.count)
    return next < file.bytes.count && file.bytes[next] == UInt8(ascii: ":") ? next + 1 : keyEnd
  }

  private func behindProperties(_ range: Range<Int>) -> (start: Int, isMarkedText: Bool) {
    var isMarkedText = false
    var place = range.lowerBound
    while place < range.upperBound {
      let first = file.bytes[place]
      guard first == UInt8(ascii: "&") || first == UInt8(ascii: "!") else { break }
      let start = place
      while place < range.upperBound, !isBlank(place) { place += 1 }
      if first == UInt8(ascii: "!"), place == start + 1 { isMarkedText = true }
      place = skipBlanks(place, range.upperBound)
    }
    return (place, isMarkedText)
  }

  /// Over blanks, line breaks and comments.
  private func skipBlanks(_ from: Int, _ end: Int) -> Int {
    var place = from
    while place < end {
      if file.bytes[place] == UInt8(ascii: "#"), place > from {
        while place < end, file.bytes[place] != UInt8(ascii: "\n") { place += 1 }
      } else if isBlank(place) {
        place += 1
      } else {
        break
      }
    }
    return place
  }

  private func isBlank(_ offset: Int) -> Bool {
    switch file.bytes[offset] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
