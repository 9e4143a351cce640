/// A number in text, `[+-]?digits[.digits][e[+-]digits]`, which is never anything but its digits: nothing is rounded.
///
/// It costs one pass over the text and no memory, whatever the exponent is. Exponents saturate at ±10¹⁸.
struct Numeral {
  let text: Bytes
  let isNegative: Bool
  let hasExponent: Bool
  let exponent: Int
  /// Digits before and behind the point.
  let integerCount: Int
  let fractionCount: Int
  private let integerStart: Int
  private let fractionStart: Int
  /// Numbers, among all digits, of the first and the last that is not 0; -1 when the number is zero.
  let first: Int
  let last: Int

  /// The most digits that PostgreSQL's `numeric` has before and behind the point.
  static let mostIntegerDigits = 131_072
  static let mostFractionDigits = 16_383

  init?(_ text: Bytes) {
    self.text = text
    var scan = Scan(text: text)
    guard scan.run() else { return nil }
    (isNegative, hasExponent, exponent) = (scan.isNegative, scan.hasExponent, scan.exponent)
    (integerCount, fractionCount) = (scan.integerCount, scan.fractionCount)
    (integerStart, fractionStart) = (scan.integerStart, scan.fractionStart)
    (first, last) = (scan.first, scan.last)
  }

  var isZero: Bool { first < 0 }

  /// A digit by its number among all digits, from the left; 0 outside of them.
  @inline(__always) func digit(_ index: Int) -> UInt8 {
    guard index >= 0, index < integerCount + fractionCount else { return 48 }
    return index < integerCount ? text[integerStart + index] : text[fractionStart + index - integerCount]
  }

  /// The value is 0.d₁d₂… × 10^point, where d₁ is the first digit that is not 0.
  var point: Int { integerCount + exponent - first }

  /// Digits from the first to the last that is not 0.
  var significantCount: Int { isZero ? 0 : last - first + 1 }

  /// It has no fraction: `5.0` and `1e3` have none.
  var isWhole: Bool { isZero || significantCount <= point }

  /// The value, when it is whole and fits.
  var int64: Int64? {
    if isZero { return 0 }
    guard isWhole, point <= 19 else { return nil }
    var value: Int64 = 0
    for index in first..<first + point {
      let (tens, over) = value.multipliedReportingOverflow(by: 10)
      let unit = Int64(digit(index) - 48)
      let (next, over2) = tens.addingReportingOverflow(isNegative ? -unit : unit)
      if over || over2 { return nil }
      value = next
    }
    return value
  }

  /// Negative, zero or positive, by value alone: `1.50` is `1.5`, and `-0` is `0`.
  static func order(_ a: Numeral, _ b: Numeral) -> Int {
    if a.isZero || b.isZero {
      if a.isZero && b.isZero { return 0 }
      return a.isZero ? (b.isNegative ? 1 : -1) : (a.isNegative ? -1 : 1)
    }
    if a.isNegative != b.isNegative { return a.isNegative ? -1 : 1 }
    let larger = a.isNegative ? -1 : 1
    if a.point != b.point { return a.point > b.point ? larger : -larger }
    for index in 0..<max(a.significantCount, b.significantCount) {
      let (x, y) = (a.digit(a.first + index), b.digit(b.first + index))
      if x != y { return x > y ? larger : -larger }
    }
    return 0
  }
}

/// The pass over the text of a number.
private struct Scan {
  let text: Bytes
  var isNegative = false
  var hasExponent = false
  var exponent = 0
  var integerStart = 0
  var integerCount = 0
  var fractionStart = 0
  var fractionCount = 0
  var first = -1
  var last = -1
  private var at = 0

  private static let farthest = 1_000_000_000_000_000_000

  init(text: Bytes) { self.text = text }

  mutating func run() -> Bool {
    isNegative = sign()
    integerStart = at
    integerCount = digits(numberedFrom: 0)
    if integerCount == 0 { return false }
    if at < text.count, text[at] == UInt8(ascii: ".") {
      at += 1
      fractionStart = at
      fractionCount = digits(numberedFrom: integerCount)
      if fractionCount == 0 { return false }
    }
    if at < text.count, text[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if !readExponent() { return false }
    }
    return at == text.count
  }

  /// Passes a sign; true for a minus.
  private mutating func sign() -> Bool {
    guard at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") else { return false }
    at += 1
    return text[at - 1] == UInt8(ascii: "-")
  }

  private mutating func digits(numberedFrom number: Int) -> Int {
    let start = at
    while at < text.count, text[at].isDigit {
      if text[at] != 48 {
        last = number + at - start
        if first < 0 { first = last }
      }
      at += 1
    }
    return at - start
  }

  private mutating func readExponent() -> Bool {
    hasExponent = true
    let negative = sign()
    let start = at
    while at < text.count, text[at].isDigit {
      if exponent < Self.farthest / 10 {
        exponent = exponent * 10 + Int(text[at] - 48)
      } else {
        exponent = Self.farthest
      }
      at += 1
    }
    if negative { exponent = -exponent }
    return at > start
  }
}
