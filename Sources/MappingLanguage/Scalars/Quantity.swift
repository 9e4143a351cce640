/// Texts that are a whole number and a unit: durations, sizes, rates.
enum Quantity {
  /// `250ms`, `30s`, `2m`, `1h`, `7d`
  static func duration(_ text: String) -> Duration? {
    guard let (number, unit) = split(text) else { return nil }
    let seconds: Int
    switch unit {
    case "ms": return .milliseconds(number)
    case "s": seconds = 1
    case "m": seconds = 60
    case "h": seconds = 3600
    case "d": seconds = 86_400
    default: return nil
    }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: seconds)
    return isTooLarge || product > longestSeconds ? nil : .seconds(product)
  }

  /// A century: what is longer is a mistake, and sums of such stay far from overflow.
  private static let longestSeconds = 100 * 366 * 86_400

  /// `64KB`, `64MB`, `1GB`, powers of 1024, in bytes.
  static func size(_ text: String) -> Int? {
    guard let (number, unit) = split(text), number > 0 else { return nil }
    let factor: Int
    switch unit {
    case "KB": factor = 1 << 10
    case "MB": factor = 1 << 20
    case "GB": factor = 1 << 30
    default: return nil
    }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge ? nil : product
  }

  /// `5/min`; also of `s`, `h` and `d`.
  static func rate(_ text: String) -> RateLimitDeclaration? {
    guard let (number, unit) = split(text), number > 0 else { return nil }
    switch unit {
    case "/s": return RateLimitDeclaration(requests: number, period: .seconds(1))
    case "/min": return RateLimitDeclaration(requests: number, period: .seconds(60))
    case "/h": return RateLimitDeclaration(requests: number, period: .seconds(3600))
    case "/d": return RateLimitDeclaration(requests: number, period: .seconds(86_400))
    default: return nil
    }
  }

  /// `100`, or `20%`, `12.5%`: a share in thousandths.
  static func share(_ text: String) -> SweepDeclaration.MaxDelete? {
    guard let (number, unit) = split(text) else { return nil }
    if unit.isEmpty { return .rows(number) }
    guard number <= 100 else { return nil }
    if unit.isSame(as: "%") { return .share(number * 10) }
    // One digit behind the point.
    let rest = Array(unit.utf8)
    guard rest.count == 3, rest[0] == UInt8(ascii: "."), rest[2] == UInt8(ascii: "%"),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(rest[1])
    else { return nil }
    let share = number * 10 + Int(rest[1] - UInt8(ascii: "0"))
    return share > 1000 ? nil : .share(share)
  }

  private static func split(_ text: String) -> (number: Int, unit: String)? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return (number, String(decoding: text.utf8.dropFirst(digits.count), as: UTF8.self))
  }
}

extension Duration {
  /// A duration as mappings write it, `30s`; nil for anything else.
  package init?(mappingText text: String) {
    guard let duration = Quantity.duration(text) else { return nil }
    self = duration
  }
}
