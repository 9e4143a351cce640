import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct NumeralTests {
  @discardableResult private func with<Result>(_ text: String, _ body: (Numeral?) throws -> Result) rethrows -> Result {
    try Array(text.utf8).withUnsafeBytes { try body(Numeral($0)) }
  }

  @Test func `naughty numbers are none`() {
    for text in [
      "", "+", "-", ".", ".5", "5.", "1e", "1e+", "e5", "0x10", "1_0", "1,0", " 1", "1 ", "NaN", "nan", "inf",
      "Infinity", "-inf", "1f", "1d", "--1", "+-1",
      "1.2.3", "1e5.5", "１", "٣", "½", "1\u{0}", "\u{0}1", "1e5e5", "0b1", "0o7", "$1", "1%", "∞", "1/2", "−1",
    ] {
      with(text) { #expect($0 == nil, "\(text)") }
    }
  }

  @Test func `numbers are ordered by their digits`() {
    let ascending = [
      "-1e99999999999999999", "-1e400", "-10", "-9.99", "-1.0000000000000000001", "-1", "-1e-400", "0",
      "1e-99999999999999999", "1e-400", "0.1",
      "0.10000000000000000001", "1", "1.5", "9.99", "10", "9007199254740992", "9007199254740993", "1e19",
      "12345678901234567890123", "1e400", "1e99999999999999999",
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect(order(a, b)?.signum() == (i - j).signum(), "\(a) and \(b)")
      }
    }
    let equal = [
      ("1", "1.0"), ("1e3", "1000"), ("-0", "0.00"), ("0e9", "0"), ("0012", "1.2e1"), ("+5", "5"), ("1500e-3", "1.5"),
    ]
    for (a, b) in equal { #expect(order(a, b) == 0, "\(a) and \(b)") }
  }

  private func order(_ a: String, _ b: String) -> Int? {
    with(a) { x in
      with(b) { y in
        if let x, let y { Numeral.order(x, y) } else { nil }
      }
    }
  }

  /// Decimal arithmetic on arrays of digits, as slow and as simple as can be.
  private func slowPlain(_ minus: Bool, _ whole: String, _ fraction: String, _ exponent: Int) -> String {
    var digits = Array(whole + fraction)
    var point = whole.count + exponent
    while point < 1 { (digits, point) = (["0"] + digits, point + 1) }
    while point > digits.count { digits.append("0") }
    var head = String(digits[..<point])
    let tail = String(digits[point...])
    while head.count > 1, head.hasPrefix("0") { head.removeFirst() }
    let isZero = (head + tail).allSatisfy { $0 == "0" }
    return (minus && !isZero ? "-" : "") + head + (tail.isEmpty ? "" : "." + tail)
  }

  @Test func `plain notation agrees with slow arithmetic`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      func digits(_ range: ClosedRange<Int>) -> String {
        (0..<Int.random(in: range, using: &random)).map { _ in
          ["0", "0", "1", "5", "9"].randomElement(using: &random) ?? "0"
        }.joined()
      }
      let (whole, fraction) = (digits(1...8), digits(0...8))
      let exponent = Int.random(in: -12...12, using: &random)
      let shift = Int.random(in: -12...12, using: &random)
      let minus = Bool.random(using: &random)
      let text =
        (minus ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction) + (exponent == 0 ? "" : "e\(exponent)")
      let arena = ByteArena()
      let found = with(text) { $0?.plain(shift: shift, into: arena).map { String(decoding: $0, as: UTF8.self) } }
      let expected = slowPlain(minus, whole, fraction, exponent + shift)
      #expect(found == expected, "\(text) shifted by \(shift)")
      let isWhole =
        expected.split(separator: ".").count == 1 || expected.split(separator: ".")[1].allSatisfy { $0 == "0" }
      with(text) { number in
        let (a, b) = (number?.int64, Int64(slowPlain(minus, whole, fraction, exponent).split(separator: ".")[0]))
        if shift == 0 { #expect(number?.isWhole == isWhole) }
        if a != nil { #expect(a == b, "\(text)") }
      }
    }
  }

  @Test func `doubles are the nearest ones`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let text =
        "\(Int64.random(in: -999_999_999_999_999_999...999_999_999_999_999_999, using: &random))e\(Int.random(in: -40...40, using: &random))"
      with(text) { #expect($0?.double == Double(text), "\(text)") }
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      guard value.isFinite else { continue }
      // What a double gave comes back as that double.
      with("\(value)".replacing("inf", with: "")) { #expect($0?.losslessDouble == value, "\(value)") }
    }
  }

  @Test func `a huge exponent costs nothing`() {
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<1000 {
        with("1e1000000000") {
          #expect($0?.int64 == nil && $0?.double == nil && $0?.losslessDouble == nil)
          #expect($0?.plain(into: ByteArena()) == nil)
        }
      }
    }
    #expect(time < .seconds(5))
  }
}
