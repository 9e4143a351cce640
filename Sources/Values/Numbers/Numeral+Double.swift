extension Numeral {
  /// The nearest double; nil when the number is beyond the largest one.
  var double: Double? {
    if let quick = quickDouble { return quick }
    let value = Double(String(decoding: text, as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Up to 15 digits and a power of ten that a double holds exactly: one correctly rounded operation.
  private var quickDouble: Double? {
    let count = significantCount
    let power = isZero ? 0 : point - count
    guard count <= 15, power >= -22, power <= 22 else { return nil }
    if isZero { return isNegative ? -0.0 : 0 }
    var digits: UInt64 = 0
    for index in first...last { digits = digits * 10 + UInt64(digit(index) - 48) }
    let value = power < 0 ? Double(digits) / Self.powers[-power] : Double(digits) * Self.powers[power]
    return isNegative ? -value : value
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// The nearest double, if its shortest notation is this very number, so that no digit is lost.
  ///
  /// It exists for every number of at most 15 digits in a double's range; of longer ones, for those that a double gave.
  var losslessDouble: Double? {
    guard let value = double else { return nil }
    // 15 digits come back from every double that is not subnormal.
    if isZero || (significantCount <= 15 && point > -290) { return value }
    var notation = value.description
    let same = notation.withUTF8 { Numeral(Bytes($0)).map { Self.order($0, self) == 0 } }
    return same == true ? value : nil
  }
}
