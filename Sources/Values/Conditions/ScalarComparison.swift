import Records

/// How conditions, and the keys of `map`, compare a value with a constant of the mapping.
///
/// Numbers are compared exactly, by their digits. A text that is a number (not trimmed) equals that number; two texts
/// are equal by their bytes; booleans equal only booleans.
struct ScalarComparison: Sendable {
  private enum Kind: Sendable { case null, boolean(Bool), number, text }

  private let kind: Kind
  /// A text's bytes; a number's in the notation that `Numeral` reads.
  private let bytes: [UInt8]

  init(_ literal: Literal) {
    let arena = ByteArena()
    let raw = RawValue(literal, arena: arena)
    bytes = Array(raw.text)
    kind =
      switch raw.kind {
      case .boolean: .boolean(raw.flag)
      case .number: .number
      case .text: .text
      case .null, .structure: .null
      }
  }

  var isNull: Bool { if case .null = kind { true } else { false } }

  func equals(_ value: RawValue) -> Bool {
    switch kind {
    case .null: return value.kind == .null
    case .boolean(let flag): return value.kind == .boolean && value.flag == flag
    case .number, .text: break
    }
    switch (kind, value.kind) {
    case (.text, .text): return value.text.equals(bytes)
    // The shortest way: written alike.
    case (_, .number) where value.text.equals(bytes): return true
    case (_, .number), (.number, .text): return numericOrder(value) == 0
    default: return false
    }
  }

  /// Negative when the value comes before the constant; nil when the two have no order.
  func order(of value: RawValue) -> Int? {
    switch kind {
    case .null, .boolean: return nil
    case .number, .text: break
    }
    guard value.kind == .number || value.kind == .text else { return nil }
    if let order = numericOrder(value) { return order }
    guard case .text = kind, value.kind == .text else { return nil }
    return bytes.withUnsafeBytes { Bytes.order(value.text, $0) }
  }

  private func numericOrder(_ value: RawValue) -> Int? {
    guard let number = Numeral(value.text) else { return nil }
    return bytes.withUnsafeBytes { constant in
      Numeral(constant).map { Numeral.order(number, $0) }
    }
  }
}
