/// A stretch of a text's bytes that gives way to others.
package struct TextEdit: Sendable, Hashable {
  package var range: Range<Int>
  package var text: [UInt8]

  init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = Array(text.utf8)
  }

  /// Nil when two of them overlap. Those that insert at one place stay in their order.
  package static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8]? {
    let sorted = edits.enumerated().sorted { a, b in
      let (one, other) = (a.element.range, b.element.range)
      if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
      return a.offset < b.offset
    }
    var result: [UInt8] = []
    var at = 0
    for (_, edit) in sorted {
      guard edit.range.lowerBound >= at, edit.range.upperBound <= bytes.count else { return nil }
      result += bytes[at..<edit.range.lowerBound] + edit.text
      at = edit.range.upperBound
    }
    return result + bytes[at...]
  }
}

/// Why an expectation cannot be rewritten.
package struct UpdateRefusal: Error, Sendable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}
