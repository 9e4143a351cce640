package import Values

/// A scalar that may hold `${…}`.
package struct Template: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case text(String)
    /// `${name}` or, of a date, `${name:pattern}`
    case variable(String, pattern: String?)
    case environment(String)
    case secret(String)
    /// `${each.column}`
    case each(String, pattern: String?)
    case now(pattern: String?)
    /// `${today-7d}`: an offset in days.
    case today(offset: Int, pattern: String?)
  }

  package var pieces: [Piece]
  /// How the scalar was written when it holds no `${…}`: a number or boolean keeps its type.
  package var core: Literal

  package init(pieces: [Piece], core: Literal) {
    self.pieces = pieces
    self.core = core
  }

  /// A value that holds no `${…}`.
  package init(constant literal: Literal) {
    switch literal {
    case .null: self.init(pieces: [], core: literal)
    case .boolean(let value): self.init(pieces: [.text(value ? "true" : "false")], core: literal)
    case .number(let text), .text(let text): self.init(pieces: text.isEmpty ? [] : [.text(text)], core: literal)
    }
  }

  /// The value is one `${…}`: it keeps the type of what it names.
  package var isSingleReference: Bool {
    guard pieces.count == 1, let piece = pieces.first else { return false }
    if case .text = piece { return false }
    return true
  }

  package var isConstant: Bool {
    pieces.allSatisfy { if case .text = $0 { true } else { false } }
  }

  package var holdsSecret: Bool {
    pieces.contains { if case .secret = $0 { true } else { false } }
  }
}
