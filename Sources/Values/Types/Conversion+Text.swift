package import Records

extension Conversion {
  /// str; int and num as their exact source text; bool as a word.
  func text(_ value: RawValue, _ arena: ByteArena) -> Converted {
    switch value.kind {
    case .null: .null
    case .text, .number: .cell(.text(value.text))
    case .boolean: .cell(.text(arena.copy(value.flag ? "true" : "false")))
    case .structure: .invalid("\(value.shape) is not text")
    }
  }

  /// A value's own text, whatever it is: what `on_invalid: keep_text` stores. An object or array is its minified JSON.
  package static func keptText(_ value: RawValue, into arena: ByteArena) -> Cell {
    switch value.kind {
    case .null: .null
    case .text, .number: .text(value.text)
    case .boolean: .text(arena.copy(value.flag ? "true" : "false"))
    case .structure: .text(JSONText.minified(value.text, into: arena))
    }
  }

  /// 8-4-4-4-12 or 32 hexadecimal digits, in braces or not; stored in one spelling.
  func uuid(_ value: RawValue, _ arena: ByteArena) -> Converted {
    guard value.kind == .text, let text = UUIDText.canonical(value.text, into: arena) else {
      return .invalid("\(value.shape) is not a UUID")
    }
    return .cell(.text(text))
  }

  /// An absolute URL, as it came.
  func url(_ value: RawValue) -> Converted {
    guard value.kind == .text, AbsoluteURL.accepts(value.text) else {
      return .invalid("\(value.shape) is not an absolute URL")
    }
    return .cell(.text(value.text))
  }

  /// base64 or base64url.
  func bytes(_ value: RawValue, _ arena: ByteArena) -> Converted {
    guard value.kind == .text, let bytes = Base64.decode(value.text, into: arena) else {
      return .invalid("\(value.shape) is not base64")
    }
    return .cell(.bytes(bytes))
  }
}
