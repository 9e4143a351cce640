import Fetch
import Ingest

/// Keeps secrets out of messages.
struct MessageRedaction: Sendable {
  private let redactor: Redactor

  init(secrets: [String]) { redactor = Redactor(secrets: secrets) }

  func redact(_ text: String) -> String { redactor.redact(text) }

  /// Names of secrets that are too short to be found in running text.
  func tooShort(among names: [String], values: Secrets) -> [String] {
    names.filter { name in values.value(name).map { !$0.isEmpty && Redactor.isTooShort($0) } ?? false }
  }
}
