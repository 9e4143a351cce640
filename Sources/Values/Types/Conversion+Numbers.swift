import Records

extension Conversion {
  /// int in 64 bits; num without a fraction; str of either; bool 1/0.
  func integer(_ value: RawValue) -> Converted {
    if value.kind == .boolean { return .cell(.integer(value.flag ? 1 : 0)) }
    if let quick = Self.shortInteger(value.text) { return .cell(.integer(quick)) }
    guard let number = Numeral(value.text) else { return .invalid("\(value.shape) is not an integer") }
    if let whole = number.int64 { return .cell(.integer(whole)) }
    return .invalid(number.isWhole ? "the number does not fit into 64 bits" : "the number has a fraction")
  }

  /// Up to 18 digits, as nearly all integers are.
  @inline(__always) static func shortInteger(_ text: Bytes) -> Int64? {
    let count = text.count
    guard count > 0, count <= 18 else { return nil }
    let minus = text[0] == UInt8(ascii: "-")
    guard count > (minus ? 1 : 0) else { return nil }
    var value: Int64 = 0
    for index in (minus ? 1 : 0)..<count {
      let digit = text[index] &- 48
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return minus ? -value : value
  }

  /// int, num, numeric str; finite. A number nearer to zero than any double is zero.
  func real(_ value: RawValue) -> Converted {
    guard value.kind != .boolean, let number = Numeral(value.text) else {
      return .invalid("\(value.shape) is not a real number")
    }
    return number.double.map { .cell(.real($0)) } ?? .invalid("the number is too large for a real")
  }

  /// int, num, numeric str; every digit kept, in plain notation.
  func decimal(_ value: RawValue, _ arena: ByteArena) -> Converted {
    guard value.kind != .boolean, let number = Numeral(value.text) else {
      return .invalid("\(value.shape) is not a decimal number")
    }
    guard let plain = number.plain(into: arena) else {
      return .invalid(
        "the number has more than \(Numeral.mostIntegerDigits) digits before the point, or "
          + "\(Numeral.mostFractionDigits) behind it")
    }
    return .cell(.text(plain))
  }

  /// bool; 0/1; str true/false/t/f/yes/no/y/n/on/off/1/0, any case.
  func boolean(_ value: RawValue) -> Converted {
    if value.kind == .boolean { return .cell(.integer(value.flag ? 1 : 0)) }
    if value.text.count == 1, value.text[0] == UInt8(ascii: "0") || value.text[0] == UInt8(ascii: "1") {
      return .cell(.integer(Int64(value.text[0] - 48)))
    }
    if value.kind == .text {
      let words: [(StaticString, Int64)] = [
        ("true", 1), ("false", 0), ("t", 1), ("f", 0), ("yes", 1), ("no", 0), ("y", 1), ("n", 0), ("on", 1), ("off", 0),
      ]
      if let word = words.first(where: { value.text.equalsIgnoringCase($0.0) }) { return .cell(.integer(word.1)) }
    }
    return .invalid("\(value.shape) is not a boolean")
  }

  /// Everything, as it came: an integer in 64 bits, a real whose shortest notation is the number that was written; any
  /// other number is kept as its source text, so that no digit is lost.
  func any(_ value: RawValue, _ arena: ByteArena) -> Converted {
    switch value.kind {
    case .null: return .null
    case .boolean: return .cell(.integer(value.flag ? 1 : 0))
    case .text: return .cell(.text(value.text))
    case .structure: return .cell(.text(JSONText.minified(value.text, into: arena)))
    case .number:
      if let quick = Self.shortInteger(value.text) { return .cell(.integer(quick)) }
      guard let number = Numeral(value.text) else { return .cell(.text(value.text)) }
      if value.flag { return .cell(number.int64.map { .integer($0) } ?? .text(value.text)) }
      return .cell(number.losslessDouble.map { .real($0) } ?? .text(value.text))
    }
  }
}
