/// How many rejected records a command may have and still exit with 0: `7`, `5%`, `0.5%`.
package enum MaxRejects: Sendable, Hashable {
  case count(Int)
  /// In thousandths of a percent, 0 to 100,000, so that shares are compared exactly.
  case share(thousandths: Int)

  /// Nil for anything but a whole number, or a percentage up to 100 with at most three decimals.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.last == UInt8(ascii: "%") else {
      guard let count = MaxRejects.digits(bytes[...]) else { return nil }
      self = .count(count)
      return
    }
    let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(MaxRejects.digits), whole <= 100 else { return nil }
    var thousandths = whole * 1000
    if parts.count == 2 {
      guard parts[1].count <= 3, let fraction = MaxRejects.digits(parts[1]) else { return nil }
      thousandths += fraction * [100, 10, 1][parts[1].count - 1]
    }
    guard thousandths <= 100_000 else { return nil }
    self = .share(thousandths: thousandths)
  }

  /// Are so many rejected of so many received, over all that the command read, fine?
  package func allows(_ rejected: Int, of received: Int) -> Bool {
    switch self {
    case .count(let count):
      return rejected <= count
    case .share(let thousandths):
      let share = rejected.magnitude.multipliedFullWidth(by: 100_000)
      let limit = received.magnitude.multipliedFullWidth(by: thousandths.magnitude)
      return (share.high, share.low) <= (limit.high, limit.low)
    }
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
  }
}
