extension RawValue {
  /// A text of nothing but white space, as types other than text read it.
  package var isBlank: Bool { kind == .text && text.trimmed.isEmpty }
}

/// Unicode's White_Space, in UTF-8.
extension Bytes {
  /// How many bytes of white space begin at `index`; 0 when none does.
  func whiteSpace(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x80 { return byte == 0x20 || byte &- 9 < 5 ? 1 : 0 }
    if byte == 0xC2, index + 1 < count { return self[index + 1] == 0x85 || self[index + 1] == 0xA0 ? 2 : 0 }
    guard byte == 0xE1 || byte == 0xE2 || byte == 0xE3, index + 2 < count else { return 0 }
    return Self.isWideSpace(byte, self[index + 1], self[index + 2]) ? 3 : 0
  }

  /// How many bytes of white space end before `end`; 0 when none does.
  private func whiteSpace(before end: Int) -> Int {
    let byte = self[end - 1]
    if byte < 0x80 { return byte == 0x20 || byte &- 9 < 5 ? 1 : 0 }
    if end >= 2, self[end - 2] == 0xC2 { return byte == 0x85 || byte == 0xA0 ? 2 : 0 }
    guard end >= 3 else { return 0 }
    return Self.isWideSpace(self[end - 3], self[end - 2], byte) ? 3 : 0
  }

  private static func isWideSpace(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Bool {
    switch (a, b) {
    case (0xE1, 0x9A): c == 0x80  // U+1680
    case (0xE2, 0x80): c <= 0x8A || c == 0xA8 || c == 0xA9 || c == 0xAF  // U+2000–200A, 2028, 2029, 202F
    case (0xE2, 0x81): c == 0x9F  // U+205F
    case (0xE3, 0x80): c == 0x80  // U+3000
    default: false
    }
  }

  /// Without white space at both ends.
  var trimmed: Bytes {
    // Nearly every text has none: look at both ends first.
    guard let head = first, let tail = last, head <= 0x20 || head >= 0x80 || tail <= 0x20 || tail >= 0x80 else {
      return self
    }
    var start = 0
    while start < count {
      let length = whiteSpace(at: start)
      if length == 0 { break }
      start += length
    }
    var end = count
    while end > start {
      let length = whiteSpace(before: end)
      if length == 0 { break }
      end -= length
    }
    return part(start, end)
  }
}
