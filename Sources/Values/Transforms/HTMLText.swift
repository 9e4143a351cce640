import Records

/// `strip_html`: tags and comments go, with all of `<script>` and `<style>`; entities become their characters.
///
/// A `<` that begins no tag, a tag that is never closed, and an entity that HTML does not have stay as they are. The
/// time is linear: what was looked for in vain is not looked for again.
struct HTMLText {
  static func plain(_ text: Bytes, into arena: ByteArena) -> Bytes {
    guard text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
    var reading = HTMLText(text)
    return arena.copy(reading.plain())
  }

  private let text: Bytes
  /// No `-->` and no `>` stands behind the place where they were looked for last.
  private var (hasCommentEnd, hasDeclarationEnd) = (true, true)
  /// Where the next closing tag of each hidden element begins, behind its name; `Int.max` when there is none.
  private var closingTags = [Int](repeating: -1, count: Self.hidden.count)
  /// The states in which tags that never end have passed each byte: one that comes by in such a state never ends either.
  private var endless: [UInt8] = []

  private init(_ text: Bytes) { self.text = text }

  private mutating func plain() -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "<"), let end = endOfMarkup(at) {
        at = end
      } else if byte == UInt8(ascii: "&"), let (characters, end) = Self.entity(text, at) {
        out += characters
        at = end
      } else {
        out.append(byte)
        at += 1
      }
    }
    return out
  }

  /// Behind the tag or comment that begins at `start`; nil when none does.
  private mutating func endOfMarkup(_ start: Int) -> Int? {
    guard start + 1 < text.count else { return nil }
    let next = text[start + 1]
    if text.part(start, text.count).starts(with: "<!--".utf8) {
      guard hasCommentEnd else { return nil }
      let end = find("-->", start + 4)
      hasCommentEnd = end != nil
      return end
    }
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
      guard hasDeclarationEnd else { return nil }
      let end = find(">", start + 2)
      hasDeclarationEnd = end != nil
      return end
    }
    let isClosing = next == UInt8(ascii: "/")
    let name = start + (isClosing ? 2 : 1)
    guard name < text.count, text[name].isASCIILetter, let end = endOfTag(name) else { return nil }
    if !isClosing, let hidden = hiddenElement(name) { return endOfElement(hidden, end) ?? end }
    return end
  }

  /// Behind the `>` of a tag, which may not stand in quotes; attributes only have quotes behind a `=`.
  private mutating func endOfTag(_ start: Int) -> Int? {
    if endless.isEmpty { endless = [UInt8](repeating: 0, count: text.count) }
    var at = start
    var quote: UInt8 = 0
    var last: UInt8 = 0
    while at < text.count {
      let byte = text[at]
      let state: UInt8 =
        quote == 0 ? (last == UInt8(ascii: "=") ? 1 : 2) : quote == UInt8(ascii: "\"") ? 4 : 8
      if endless[at] & state != 0 { return nil }
      endless[at] |= state
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return at + 1
      } else if last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      if byte > 0x20 { last = byte }
      at += 1
    }
    return nil
  }

  /// Elements whose content is no text.
  private static let hidden: [StaticString] = ["script", "style"]

  /// Which of them begins with the name at `start`.
  private func hiddenElement(_ start: Int) -> Int? {
    var scanner = DateScanner(text: text, at: start)
    let name = scanner.word()
    guard let found = Self.hidden.firstIndex(where: name.equalsIgnoringCase), !scanner.isAtEnd else { return nil }
    return !scanner.rest[0].isDigit && scanner.rest[0] != UInt8(ascii: "-") ? found : nil
  }

  /// Behind the closing tag of an element.
  private mutating func endOfElement(_ element: Int, _ start: Int) -> Int? {
    if closingTags[element] < start { closingTags[element] = closingTag(of: Self.hidden[element], start) ?? Int.max }
    return closingTags[element] == Int.max ? nil : endOfTag(closingTags[element])
  }

  /// Behind the name in the next closing tag of an element.
  private func closingTag(of name: StaticString, _ start: Int) -> Int? {
    var at = start
    while let open = find("</", at) {
      let end = open + name.utf8CodeUnitCount
      if end <= text.count, text.part(open, end).equalsIgnoringCase(name) { return end }
      at = open
    }
    return nil
  }

  /// Behind the next occurrence of `needle`.
  private func find(_ needle: StaticString, _ start: Int) -> Int? {
    let count = needle.utf8CodeUnitCount
    guard text.count - start >= count else { return nil }
    for at in start...text.count - count where text[at] == needle.utf8Start[0] {
      if (1..<count).allSatisfy({ text[at + $0] == needle.utf8Start[$0] }) { return at + count }
    }
    return nil
  }

  /// The characters of the entity that begins at `start`, and where it ends. Names are at most 31 letters long.
  private static func entity(_ text: Bytes, _ start: Int) -> ([UInt8], Int)? {
    let window = text.part(start + 1, min(text.count, start + 34))
    guard let length = window.firstIndex(of: UInt8(ascii: ";")), length > 0 else { return nil }
    let name = window.part(0, length)
    let end = start + length + 2
    guard name[0] == UInt8(ascii: "#") else { return HTMLEntities.characters(name).map { ($0, end) } }
    return number(name.part(1, length)).map { (Array(String(Character($0)).utf8), end) }
  }

  private static func number(_ digits: Bytes) -> Unicode.Scalar? {
    let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let rest = isHex ? digits.part(1, digits.count) : digits
    guard !rest.isEmpty, rest.count <= 8, rest.allSatisfy({ isHex ? $0.hexValue != nil : $0.isDigit }) else {
      return nil
    }
    guard let value = UInt32(String(decoding: rest, as: UTF8.self), radix: isHex ? 16 : 10), value > 0 else {
      return nil
    }
    if value >= 0x80, value < 0xA0 { return Unicode.Scalar(windows1252[Int(value - 0x80)]) }
    return Unicode.Scalar(value)
  }

  /// What HTML takes 128…159 for, as browsers do: the characters of Windows-1252.
  private static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}
