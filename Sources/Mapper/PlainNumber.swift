import Glibc

/// Numbers as nearly all APIs write them, read without a library: up to 19 digits, and no exponent.
enum PlainNumber {
  /// An integer of JSON; nil where it does not fit into 64 bits.
  @inline(__always) static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard var next = text.baseAddress, !text.isEmpty else { return nil }
    let end = next + text.count
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative { next += 1 }
    guard end - next <= 19 else { return nil }
    var value: UInt64 = 0
    while end - next >= 8 {
      value = value &* 100_000_000 &+ eight(word(next))
      next += 8
    }
    while next < end {
      value = value &* 10 &+ UInt64(next.pointee &- 48)
      next += 1
    }
    guard value <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(value) : Int64(value)
  }

  /// A number of JSON; nil where the short way does not do.
  @inline(__always) static func real(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard var next = text.baseAddress, text.count <= 21 else { return nil }
    let end = next + text.count
    let isNegative = next.pointee == UInt8(ascii: "-")
    if isNegative { next += 1 }
    var digits: UInt64 = 0
    var point = end
    let first = next
    while next < end {
      let digit = next.pointee &- 48
      if digit <= 9 {
        digits = digits &* 10 &+ UInt64(digit)
        next += 1
      } else if next.pointee == UInt8(ascii: ".") {
        next += 1
        point = next
        // Many digits behind the point, or an exponent.
        while end - next >= 8, isEight(word(next)) {
          digits = digits &* 100_000_000 &+ eight(word(next))
          next += 8
        }
      } else {
        return nil
      }
    }
    guard end - first - (point < end ? 1 : 0) <= 19 else { return nil }
    let value = quotient(of: digits, byTenTo: end - point)
    return isNegative ? -value : value
  }

  /// `digits / 10^power`, rounded correctly; `power` is 18 at most.
  @inline(__always) private static func quotient(of digits: UInt64, byTenTo power: Int) -> Double {
    // Both are exact as doubles: one division rounds once.
    if digits <= 1 << 53 { return Double(digits) / reals[power] }
    return longQuotient(of: digits, by: integers[power])
  }

  /// The same for digits that no double holds: 64 bits of the quotient, and whether anything is left, tell how it is to be
  /// rounded to 53.
  static func longQuotient(of digits: UInt64, by divisor: UInt64) -> Double {
    let (shift, divisorShift) = (digits.leadingZeroBitCount, divisor.leadingZeroBitCount)
    let (numerator, denominator) = (digits << UInt64(shift), divisor << UInt64(divisorShift))
    // The numerator's upper half has to be less than the denominator.
    let isLess = numerator < denominator
    let (bits, rest) = denominator.dividingFullWidth(
      isLess ? (numerator, 0) : (numerator >> 1, numerator << 63))
    let exponent = divisorShift - shift - (isLess ? 64 : 63)
    var mantissa = bits >> 11
    let below = bits & 0x7FF
    if below > 0x400 || (below == 0x400 && (rest != 0 || mantissa & 1 == 1)) { mantissa += 1 }
    // A product with a power of two is exact.
    return Double(mantissa) * Double(bitPattern: UInt64(1023 + exponent + 11) << 52)
  }

  // MARK: eight digits at once

  @inline(__always) private static func word(_ text: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
  }

  /// Are all eight bytes digits?
  @inline(__always) private static func isEight(_ word: UInt64) -> Bool {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    return (word & high) | (((word &+ 0x0606_0606_0606_0606) & high) >> 4) == 0x3333_3333_3333_3333
  }

  /// The number that eight digits write: neighbours are joined to pairs, these to fours, these to eight.
  @inline(__always) private static func eight(_ word: UInt64) -> UInt64 {
    let digits = word &- 0x3030_3030_3030_3030
    let pairs = (digits &* 10) &+ (digits >> 8)
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    let fours = (pairs & mask) &* 0x000F_4240_0000_0064
    return (fours &+ (((pairs >> 16) & mask) &* 0x0000_2710_0000_0001)) >> 32
  }

  // MARK: powers of ten

  /// As plain memory, since an array that is a static property is looked up at each use.
  private nonisolated(unsafe) static let reals: UnsafePointer<Double> = table { Double($0) }
  private nonisolated(unsafe) static let integers: UnsafePointer<UInt64> = table { $0 }

  private static func table<Value>(_ value: (UInt64) -> Value) -> UnsafePointer<Value> {
    let powers = UnsafeMutablePointer<Value>.allocate(capacity: 20)
    var power: UInt64 = 1
    for index in 0..<20 {
      (powers + index).initialize(to: value(power))
      power = power &* 10
    }
    return UnsafePointer(powers)
  }
}
