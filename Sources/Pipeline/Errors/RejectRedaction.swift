import Fetch
import Records

/// Takes secrets out of rejected records before they are kept: a server may echo what it was sent.
struct RejectRedaction: Sendable {
  private let redactor: Redactor

  init(_ redactor: Redactor) { self.redactor = redactor }

  func redacted(_ rejection: Rejection) -> Rejection {
    var redacted = rejection
    redacted.pointer = redactor.redact(rejection.pointer)
    redacted.reason = redactor.redact(rejection.reason)
    redacted.value = json(rejection.value)
    redacted.context = rejection.context.map { String(decoding: json(Array($0.utf8)), as: UTF8.self) }
    return redacted
  }

  /// JSON text stays JSON: a number that holds a secret becomes a text, and so does a text within which the mark would
  /// tear an escape apart.
  private func json(_ text: [UInt8]) -> [UInt8] {
    guard redactor.contains(text) else { return text }
    var out: [UInt8] = []
    var at = 0
    while at < text.count {
      let start = at
      if text[at] == UInt8(ascii: "\"") {
        at = Self.endOfString(text, from: at)
        let inner = Array(text[(start + 1)..<max(start + 1, at - 1)])
        let redacted = redactor.redact(inner)
        let isWhole = inner == redacted || Self.hasWholeEscapes(redacted)
        out += [UInt8(ascii: "\"")] + (isWhole ? redacted : Array(Redactor.mark.utf8)) + [UInt8(ascii: "\"")]
      } else if Self.isPunctuation(text[at]) {
        out.append(text[at])
        at += 1
      } else {
        while at < text.count, !Self.isPunctuation(text[at]), text[at] != UInt8(ascii: "\"") { at += 1 }
        let token = Array(text[start..<at])
        out += redactor.contains(token) ? Array("\"\(Redactor.mark)\"".utf8) : token
      }
    }
    return out
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  /// Behind the closing quote.
  private static func endOfString(_ text: [UInt8], from start: Int) -> Int {
    var at = start + 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(at + 1, text.count)
  }

  private static func hasWholeEscapes(_ text: [UInt8]) -> Bool {
    var at = 0
    while at < text.count {
      guard text[at] == UInt8(ascii: "\\") else {
        at += 1
        continue
      }
      guard at + 1 < text.count else { return false }
      if text[at + 1] == UInt8(ascii: "u") {
        let digits = text[(at + 2)..<min(at + 6, text.count)]
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return false }
        at += 6
      } else {
        guard "\"\\/bfnrt".utf8.contains(text[at + 1]) else { return false }
        at += 2
      }
    }
    return true
  }
}
