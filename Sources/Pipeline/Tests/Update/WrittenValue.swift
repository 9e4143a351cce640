import MappingLanguage
import Store
import Values

/// A stored value as an expectation writes it: in the style of the value whose place it takes, as far as that reads back
/// as the same.
struct WrittenValue {
  let text: String

  /// `written`: the source text of the value that was expected.
  init(
    of stored: StoredValue, inPlaceOf old: TestDeclaration.ExpectedValue?, written: [UInt8]
  ) throws(UpdateRefusal) {
    let candidates = Self.candidates(for: stored, old, written)
    guard let text = candidates.first(where: { Self.reads($0, as: stored) }) else {
      throw UpdateRefusal("a value cannot be written in YAML so that it reads back as the same")
    }
    self.text = text
  }

  /// A text in the style of another.
  init(of stored: StoredValue, like written: [UInt8]) throws(UpdateRefusal) {
    try self.init(of: stored, inPlaceOf: nil, written: written)
  }

  static func name(_ text: String) throws(UpdateRefusal) -> String {
    try WrittenValue(of: .text(text), inPlaceOf: nil, written: []).text
  }

  private static func reads(_ candidate: String, as stored: StoredValue) -> Bool {
    YAMLText.value(candidate).map { TableExpectation.fits($0, stored) } ?? false
  }

  private static func candidates(
    for stored: StoredValue, _ old: TestDeclaration.ExpectedValue?, _ written: [UInt8]
  ) -> [String] {
    switch stored {
    case .null: return ["null"]
    case .integer(let number):
      if case .boolean? = old?.value.value, number == 0 || number == 1 { return [number == 1 ? "true" : "false"] }
      return [String(number)]
    case .real(let number): return ["\(number)"]
    case .text, .bytes: break
    }
    let text = stored.expectedText
    let quoted = YAMLText.doubleQuoted(text)
    if old?.isCollection ?? false { return [text, quoted] }
    switch written.first {
    case UInt8(ascii: "\""): return [quoted]
    case UInt8(ascii: "'"): return [YAMLText.singleQuoted(text), quoted]
    default: return isPlain(text, in: old) ? [text, quoted] : [quoted]
    }
  }

  /// A text that looks like a number stays without quotes where a number stood.
  private static func isPlain(_ text: String, in old: TestDeclaration.ExpectedValue?) -> Bool {
    if text.utf8.first.map({ "[{\"'".utf8.contains($0) }) ?? true { return false }
    switch YAMLText.value(text) {
    case .text?: return true
    case .number?: if case .number? = old?.value.value { return true } else { return false }
    default: return false
    }
  }
}

extension StoredValue {
  /// Of a text, or of bytes.
  fileprivate var expectedText: String {
    switch self {
    case .text(let text): text
    case .bytes: String(shown.dropFirst().dropLast())
    case .null, .integer, .real: shown
    }
  }
}
