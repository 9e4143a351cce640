import Diagnostics

/// Finds the place of a node in the bytes of its file, where libyaml's marks say less or more than that.
struct PlaceFinder {
  let file: SourceFile
  let scalarsBefore: Int

  /// The byte offset of one of libyaml's marks, which count scalars.
  func offset(_ mark: Int) -> Int { file.offset(ofScalar: mark + scalarsBefore) }

  func span(_ range: Range<Int>) -> SourceSpan { file.span(range.lowerBound, range.upperBound) }

  /// The place of a scalar behind its anchor and tag.
  func scalar(_ event: YAMLEvent, style: YAMLEvent.Style) -> Range<Int> {
    let (start, end) = (offset(event.start), offset(event.end))
    let first = behindProperties(start..<end)
    guard style == .block else { return first..<end }
    var last = end
    while last > first + 1, isBlank(last - 1) { last -= 1 }
    return first..<last
  }

  /// Where a collection begins, behind its anchor and tag.
  func collection(_ event: YAMLEvent, _ properties: YAMLEvent.Collection) -> Int {
    let start = offset(event.start)
    guard properties.anchor != nil || properties.tag != nil else { return start }
    // The mark of a block collection's start may end where its properties do.
    return behindProperties(start..<file.bytes.count)
  }

  /// Where a node has a sign of YAML's that libyaml reads although it is glued to what follows: `{?a: 1}`, `&a:b`.
  ///
  /// Passed over, a part of the text would be lost.
  func gluedSign(_ event: YAMLEvent, isFlowKey: Bool, hasAnchor: Bool) -> Range<Int>? {
    let start = offset(event.start)
    if isFlowKey, start > 0, file.bytes[start - 1] == UInt8(ascii: "?") { return (start - 1)..<(start + 1) }
    guard hasAnchor else { return nil }
    var place = start
    while place < file.bytes.count, file.bytes[place] != UInt8(ascii: "&") {
      while place < file.bytes.count, !isBlank(place) { place += 1 }
      place = skipBlanks(place, file.bytes.count)
    }
    let name = file.bytes[place...].dropFirst().prefix { byte in
      byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte >= 0x30 && byte <= 0x39
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard name.endIndex < file.bytes.count, !isBlank(name.endIndex) else { return nil }
    return ",]}".utf8.contains(file.bytes[name.endIndex]) ? nil : place..<(name.endIndex + 1)
  }

  /// Behind the colon of the key that ends at the offset; the key's own end when it has no colon.
  func behindColon(_ keyEnd: Int) -> Int {
    let next = skipBlanks(keyEnd, file.bytes.count)
    return next < file.bytes.count && file.bytes[next] == UInt8(ascii: ":") ? next + 1 : keyEnd
  }

  private func behindProperties(_ range: Range<Int>) -> Int {
    var place = range.lowerBound
    while place < range.upperBound, file.bytes[place] == UInt8(ascii: "&") || file.bytes[place] == UInt8(ascii: "!") {
      while place < range.upperBound, !isBlank(place) { place += 1 }
      place = skipBlanks(place, range.upperBound)
    }
    return place
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
