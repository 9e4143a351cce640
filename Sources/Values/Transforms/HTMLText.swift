import Records

/// `strip_html`: tags and comments go, with all of `<script>` and `<style>`; entities become their characters.
///
/// A `<` that begins no tag, a tag that is never closed, and an entity that HTML does not have stay as they are.
enum HTMLText {
  static func plain(_ text: Bytes, into arena: ByteArena) -> Bytes {
    guard text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
    var out: [UInt8] = []
    out.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "<"), let end = endOfMarkup(text, at) {
        at = end
      } else if byte == UInt8(ascii: "&"), let (characters, end) = entity(text, at) {
        out += characters
        at = end
      } else {
        out.append(byte)
        at += 1
      }
    }
    return arena.copy(out)
  }

  /// Behind the tag or comment that begins at `start`; nil when none does.
  private static func endOfMarkup(_ text: Bytes, _ start: Int) -> Int? {
    guard start + 1 < text.count else { return nil }
    let next = text[start + 1]
    if text.part(start, text.count).starts(with: "<!--".utf8) { return find("-->", text, start + 4) }
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") { return find(">", text, start + 2) }
    let isClosing = next == UInt8(ascii: "/")
    let name = start + (isClosing ? 2 : 1)
    guard name < text.count, text[name].isASCIILetter, let end = endOfTag(text, name) else { return nil }
    if !isClosing, let hidden = hiddenElement(text, name) { return endOfElement(hidden, text, end) ?? end }
    return end
  }

  /// Behind the `>` of a tag, which may not stand in quotes; attributes only have quotes behind a `=`.
  private static func endOfTag(_ text: Bytes, _ start: Int) -> Int? {
    var at = start
    var quote: UInt8 = 0
    var last: UInt8 = 0
    while at < text.count {
      let byte = text[at]
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

  /// The name of an element whose content is no text.
  private static func hiddenElement(_ text: Bytes, _ start: Int) -> StaticString? {
    var scanner = DateScanner(text: text, at: start)
    let name = scanner.word()
    let hidden: [StaticString] = ["script", "style"]
    guard let found = hidden.first(where: name.equalsIgnoringCase), !scanner.isAtEnd else { return nil }
    return !scanner.rest[0].isDigit && scanner.rest[0] != UInt8(ascii: "-") ? found : nil
  }

  /// Behind the closing tag of an element.
  private static func endOfElement(_ name: StaticString, _ text: Bytes, _ start: Int) -> Int? {
    var at = start
    while let open = find("</", text, at) {
      let end = open + name.utf8CodeUnitCount
      if end <= text.count, text.part(open, end).equalsIgnoringCase(name) { return endOfTag(text, end) }
      at = open
    }
    return nil
  }

  /// Behind the next occurrence of `needle`.
  private static func find(_ needle: StaticString, _ text: Bytes, _ start: Int) -> Int? {
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
