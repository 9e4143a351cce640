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
    redacted.isRedacted =
      rejection.isRedacted || redacted.value != rejection.value || redacted.context != rejection.context
    return redacted
  }

  /// JSON text stays JSON.
  private func json(_ text: [UInt8]) -> [UInt8] {
    guard redactor.contains(text) else { return text }
    var redaction = JSONRedaction(redactor)
    return redaction.add(text) + redaction.finish()
  }
}
