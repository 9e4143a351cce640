/// What `replace` puts in the place of a match: text with `$1`, `${1}`, `${name}` and `$0` (the whole match) for
/// groups, `$$` for a dollar. A group that took no part is nothing.
struct Replacement: Sendable {
  private enum Part: Sendable {
    case literal([UInt8])
    case group(Int)
  }

  private let parts: [Part]

  struct Fault: Error {
    var message: String
    var hint: String?
  }

  init(_ text: String, for expression: RegularExpression) throws(Fault) {
    var parts: [Part] = []
    var literal: [UInt8] = []
    let bytes = Array(text.utf8)
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      let next = at + 1 < bytes.count ? bytes[at + 1] : 0
      if byte == UInt8(ascii: "\\"), next.isDigit {
        throw Fault(message: "a group of the replacement is written with a backslash", hint: "groups are $1, $2, …")
      }
      guard byte == UInt8(ascii: "$") else {
        literal.append(byte)
        at += 1
        continue
      }
      if next == UInt8(ascii: "$") {
        literal.append(next)
        at += 2
        continue
      }
      parts.append(.literal(literal))
      literal = []
      parts.append(.group(try Self.group(bytes, &at, expression)))
    }
    parts.append(.literal(literal))
    self.parts = parts
  }

  private static func group(_ bytes: [UInt8], _ at: inout Int, _ expression: RegularExpression) throws(Fault) -> Int {
    at += 1
    let braced = at < bytes.count && bytes[at] == UInt8(ascii: "{")
    if braced { at += 1 }
    let start = at
    while at < bytes.count, bytes[at].isDigit || (braced && bytes[at] != UInt8(ascii: "}")) { at += 1 }
    let name = String(decoding: bytes[start..<at], as: UTF8.self)
    if braced {
      guard at < bytes.count else {
        throw Fault(message: "a group of the replacement is not closed", hint: "groups are $1 or ${name}")
      }
      at += 1
    }
    if name.isEmpty {
      throw Fault(message: "a '$' of the replacement is followed by no group", hint: "a dollar itself is $$")
    }
    let number = Int(name) ?? expression.group(named: name) ?? -1
    guard number >= 0, number <= expression.groupCount else {
      throw Fault(message: "the regular expression has no group '\(name)'")
    }
    return number
  }

  /// `text` with each match of `expression` replaced; nil, with a reason, when it could not be searched.
  func replaceAll(in text: Bytes, of expression: RegularExpression, into out: inout [UInt8]) -> String? {
    var copied = 0
    var at = 0
    var afterEmpty = false
    while at <= text.count {
      let answer = expression.search(text, from: at, notEmptyAtStart: afterEmpty) { groups -> Range<Int> in
        let whole = groups.range(0) ?? at..<at
        out += text[copied..<max(copied, whole.lowerBound)]
        append(groups, text, to: &out)
        return whole
      }
      switch answer {
      case .failed(let reason): return reason
      case .none where afterEmpty:
        // Nothing but the empty match stands here: go on behind the next code point.
        at += 1
        while at < text.count, text[at] & 0xC0 == 0x80 { at += 1 }
        afterEmpty = false
      case .none:
        out += text[copied...]
        return nil
      case .found(let whole):
        copied = max(copied, whole.upperBound)
        at = max(at, whole.upperBound)
        afterEmpty = whole.isEmpty
      }
    }
    out += text[copied...]
    return nil
  }

  private func append(_ groups: RegularExpression.Groups, _ text: Bytes, to out: inout [UInt8]) {
    for part in parts {
      switch part {
      case .literal(let bytes): out += bytes
      case .group(let number): if let range = groups.range(number) { out += text[range] }
      }
    }
  }
}
