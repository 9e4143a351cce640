package import JSONReading
package import Records

extension RawValue {
  /// A JSON value. A text that holds escapes is decoded into `arena`; everything else points into the value's window.
  package init(_ value: JSONValue, arena: borrowing ByteArena) {
    let node = value.nodes[value.index]
    let (start, count) = (value.bytes + Int(node.start), Int(node.end - node.start))
    let source = UnsafeRawBufferPointer(start: start, count: count)
    switch node.kind {
    case .null: self.init(kind: .null, source: source)
    case .true: self.init(kind: .boolean, flag: true, source: source)
    case .false: self.init(kind: .boolean, source: source)
    case .number: self.init(kind: .number, flag: !node.isSpecial, text: source, source: source)
    case .array, .object: self.init(kind: .structure, text: source, source: source)
    case .string:
      // Without its quotes.
      var text = UnsafeRawBufferPointer(start: start + 1, count: count - 2)
      if node.isSpecial {
        let decoded = arena.reserve(max(text.count, 1))
        text = UnsafeRawBufferPointer(start: decoded, count: value.decodeString(into: decoded))
      }
      self.init(kind: .text, text: text, source: source)
    }
  }

  /// A text that did not come from JSON: a header, a path parameter, a file's name.
  package static func text(_ bytes: UnsafeRawBufferPointer) -> RawValue { RawValue(kind: .text, text: bytes) }

  /// A whole number that did not come from JSON: a status, an index.
  package static func integer(_ value: Int, _ arena: ByteArena) -> RawValue {
    RawValue(kind: .number, flag: true, text: arena.copy(String(value)))
  }

  static func boolean(_ value: Bool) -> RawValue { RawValue(kind: .boolean, flag: value) }

  /// A number in text, as `Numeral` reads it.
  static func number(_ text: Bytes) -> RawValue {
    RawValue(kind: .number, flag: text.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }, text: text)
  }

  /// A constant of a mapping.
  ///
  /// YAML's other notations of numbers (`+5`, `.5`, `5.`, `0x1F`, `0o17`) become decimal; a number that is none
  /// (`.inf`) is its text.
  package init(_ literal: Literal, arena: ByteArena) {
    switch literal {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .text(let text): self = .text(arena.copy(text))
    case .number(let text):
      let bytes = arena.copy(literal.decimalNotation ?? text)
      self = Numeral(bytes) == nil ? .text(bytes) : .number(bytes)
    }
  }

  /// What kind of value it is, for messages; never the value.
  var shape: String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: flag ? "a whole number" : "a number"
    case .text: "text of \(text.codePointCount) character\(text.codePointCount == 1 ? "" : "s")"
    case .structure: text.first == UInt8(ascii: "[") ? "an array" : "an object"
    }
  }
}

extension Literal {
  /// A number's text in the notation of JSON; nil when it is no finite number, or no number at all.
  fileprivate var decimalNotation: String? {
    guard case .number(let written) = self else { return nil }
    var text = written
    let minus = text.utf8.first == UInt8(ascii: "-")
    if minus || text.utf8.first == UInt8(ascii: "+") { text.removeFirst() }
    if text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) {
      text = String(value)
    } else if text.hasPrefix("0o"), let value = UInt64(text.dropFirst(2), radix: 8) {
      text = String(value)
    }
    if text.utf8.first == UInt8(ascii: ".") { text = "0" + text }
    if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) {
      let next = text.utf8.index(after: point)
      if next == text.endIndex || !text.utf8[next].isDigit { text.remove(at: point) }
    }
    return minus ? "-" + text : text
  }
}
