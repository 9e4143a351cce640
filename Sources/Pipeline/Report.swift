/// Something that a command says while it works; what it says holds no secret.
package struct Message: Sendable, Hashable {
  package enum Level: String, Sendable {
    case debug, info, warning, error
  }

  package var level: Level
  package var text: String

  package init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}

extension Int {
  /// `1 page`, `2 pages`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
