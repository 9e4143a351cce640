/// jq's own words, without what they quote of the data.
enum JQMessage {
  /// Why a program does not compile: jq's sentence without its prefix, its advice on shells and the program's text.
  static func complaint(_ message: String) -> String {
    var text = Array(message.utf8)[...]
    for prefix in ["jq: ", "error: "] where text.starts(with: prefix.utf8) { text = text.dropFirst(prefix.utf8.count) }
    var line = ""
    if let place = text.range(of: " at <top-level>, line ") {
      let number = text[place.upperBound...].prefix { $0.isDigit }
      if number != [UInt8(ascii: "1")] { line = " (in line \(String(decoding: number, as: UTF8.self)))" }
      text = text[..<place.lowerBound]
    }
    if let advice = text.range(of: " (Unix shell quoting issues?)") { text.removeSubrange(advice) }
    text = text.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: text, as: UTF8.self) + line
  }

  /// Why a program failed on a value. An error that the program made is shown if it is one of its literals.
  static func failure(_ message: [UInt8], literals: Set<[UInt8]>) -> String {
    if literals.contains(message) { return "jq: " + String(decoding: message, as: UTF8.self) }
    return "jq: " + (ownWords(message) ?? "the program failed on this value")
  }

  /// What stands before and behind all that is quoted, if these are words that jq itself uses.
  private static func ownWords(_ message: [UInt8]) -> String? {
    let marks = Array("\"'()[]{}:".utf8)
    guard let first = message.firstIndex(where: { marks.contains($0) }) else { return known(message[...]) }
    let last = message.lastIndex { marks.contains($0) } ?? first
    guard let head = known(message[..<first]) else { return nil }
    guard last + 1 < message.count else { return head }
    return known(message[(last + 1)...]).map { "\(head) … \($0)" }
  }

  /// The text, if it is made of jq's words alone.
  private static func known(_ text: ArraySlice<UInt8>) -> String? {
    let words = text.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard !words.isEmpty, words.allSatisfy({ vocabulary.contains($0) }) else { return nil }
    return words.joined(separator: " ")
  }

  private static let vocabulary = Set(
    """
    Array Cannot Out Start String a added an and array as at be because boolean bounds cannot check compared contained \
    delete divided divisor end explode field from grouped has have implode index indexed indices input integer is it \
    iterate its key keys large length long matched matching, matched, multiplied must negative no not null number \
    numbers object of only or over parsed path range sides slice sliced sorted, sorted string strings subtracted than \
    the to too update updated use valid value whether with zero
    """.split(separator: " ").map(String.init))
}

extension ArraySlice<UInt8> {
  /// Where a text occurs first.
  fileprivate func range(of text: StaticString) -> Range<Int>? {
    let length = text.utf8CodeUnitCount
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: length)
    guard count >= length else { return nil }
    for start in startIndex...(endIndex - length) where self[start..<(start + length)].elementsEqual(wanted) {
      return start..<(start + length)
    }
    return nil
  }
}
