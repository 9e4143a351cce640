/// Takes secrets out of a text that comes in parts: one that stands on the border of two parts is found too.
struct TextRedaction: Sendable {
  /// Bytes that wait for more before they are looked at.
  private static let part = 1 << 16

  private let redactor: Redactor
  private var pending: [UInt8] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// Gives what no longer depends on what comes.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    pending += bytes
    guard pending.count >= Self.part + redactor.longestMatch + 4 else { return [] }
    let (text, length) = redactor.redactPrefix(of: pending, upTo: pending.count - redactor.longestMatch - 4)
    pending.removeFirst(length)
    return text
  }

  /// Gives the rest.
  mutating func finish() -> [UInt8] {
    defer { pending = [] }
    return redactor.redact(pending)
  }
}
