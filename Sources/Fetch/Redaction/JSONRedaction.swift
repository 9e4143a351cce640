/// Takes secrets out of JSON text that comes in parts, token by token, so that JSON text stays JSON.
///
/// A number that holds a secret becomes a text, and so does a text within which the mark would tear an escape apart.
/// White space and comments are tokens too. No more is kept in memory than the token at hand.
package struct JSONRedaction: Sendable {
  private enum State: Sendable {
    case between, string, escape, word
  }

  private let redactor: Redactor
  private var state = State.between
  private var token: [UInt8] = []

  package init(_ redactor: Redactor) { self.redactor = redactor }

  /// Gives what is whole.
  package mutating func add(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    for byte in bytes { take(byte, &out) }
    return out
  }

  /// Gives the rest.
  package mutating func finish() -> [UInt8] {
    var out: [UInt8] = []
    if state == .string || state == .escape {
      out = redactor.redact(token)
    } else {
      endWord(&out)
    }
    token = []
    state = .between
    return out
  }

  private mutating func take(_ byte: UInt8, _ out: inout [UInt8]) {
    switch state {
    case .escape:
      token.append(byte)
      state = .string
    case .string:
      token.append(byte)
      if byte == UInt8(ascii: "\\") { state = .escape }
      if byte == UInt8(ascii: "\"") {
        out += redactedString()
        token.removeAll(keepingCapacity: true)
        state = .between
      }
    case .between, .word:
      if byte == UInt8(ascii: "\"") {
        endWord(&out)
        token.append(byte)
        state = .string
      } else if Self.isPunctuation(byte) {
        endWord(&out)
        out.append(byte)
      } else {
        token.append(byte)
        state = .word
      }
    }
  }

  private mutating func endWord(_ out: inout [UInt8]) {
    guard state == .word else { return }
    out += redactor.contains(token) ? Array("\"\(Redactor.mark)\"".utf8) : token
    token.removeAll(keepingCapacity: true)
    state = .between
  }

  /// The token is a string with its quotes.
  private func redactedString() -> [UInt8] {
    let inner = Array(token[1..<(token.count - 1)])
    let redacted = redactor.redact(inner)
    if redacted == inner { return token }
    let isWhole = Self.hasWholeEscapes(redacted)
    return [UInt8(ascii: "\"")] + (isWhole ? redacted : Array(Redactor.mark.utf8)) + [UInt8(ascii: "\"")]
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      true
    default: false
    }
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
        guard digits.count == 4, digits.allSatisfy({ ASCII.hexValue($0) != nil }) else { return false }
        at += 6
      } else {
        guard "\"\\/bfnrt".utf8.contains(text[at + 1]) else { return false }
        at += 2
      }
    }
    return true
  }
}
