import Records

extension Numeral {
  /// The number in plain notation, its point moved `shift` digits to the right: every digit kept, fraction digits as
  /// written, no exponent, no plus, no needless zero in front, no negative zero. Nil when it has more digits than
  /// PostgreSQL's `numeric`.
  func plain(shift: Int = 0, into arena: ByteArena) -> Bytes? {
    let exponent = exponent + shift
    let point = integerCount + exponent
    let fraction = max(0, fractionCount - exponent)
    let integer = isZero || first >= point ? 1 : point - first
    guard integer <= Self.mostIntegerDigits, fraction <= Self.mostFractionDigits else { return nil }
    if shift == 0, isPlain { return text }

    let minus = isNegative && !isZero
    let length = (minus ? 1 : 0) + integer + (fraction > 0 ? 1 + fraction : 0)
    let out = arena.reserve(length).assumingMemoryBound(to: UInt8.self)
    var at = 0
    func put(_ byte: UInt8) {
      out[at] = byte
      at += 1
    }
    if minus { put(UInt8(ascii: "-")) }
    for index in point - integer..<point { put(digit(index)) }
    if fraction > 0 {
      put(UInt8(ascii: "."))
      for index in point..<point + fraction { put(digit(index)) }
    }
    return Bytes(start: out, count: length)
  }

  /// The text is in plain notation as it stands.
  private var isPlain: Bool {
    if hasExponent || text[0] == UInt8(ascii: "+") || (isNegative && isZero) { return false }
    return integerCount == 1 || digit(0) != 48
  }
}
