public import FoundationEssentials
import Values

extension Date: RecordValueConvertible {
  /// A `timestamp`, as precise as a `Date` is: to some ten millionths of a second.
  public init?(recordValue: RecordValue) {
    // A day alone is no point in time.
    guard case .text(let text) = recordValue, text.utf8.count > 10, let instant = Instant(iso: text)
    else { return nil }
    self.init(timeIntervalSince1970: Double(instant.seconds) + Double(instant.nanoseconds) / 1e9)
  }
}

extension Decimal: RecordValueConvertible {
  /// A `decimal` or a whole number, of 38 digits at most: what a `Decimal` holds exactly.
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .integer(let value): self.init(value)
    case .text(let text):
      guard Decimal.holds(text) else { return nil }
      self.init(string: text)
    case .missing, .null, .boolean, .real, .bytes: return nil
    }
  }
}

extension Decimal {
  /// Is it a decimal number as a store has it, `-12.50`, of no more digits than a `Decimal` has?
  private static func holds(_ text: String) -> Bool {
    let number = text.utf8.starts(with: "-".utf8) ? text.utf8.dropFirst() : text.utf8[...]
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(digits.contains) }
      && parts.reduce(0) { $0 + $1.count } <= 38
  }
}

extension UUID: RecordValueConvertible {
  /// A `uuid`.
  public init?(recordValue: RecordValue) {
    guard case .text(let text) = recordValue else { return nil }
    self.init(uuidString: text)
  }
}

extension URL: RecordValueConvertible {
  /// A `url`.
  public init?(recordValue: RecordValue) {
    guard case .text(let text) = recordValue, !text.isEmpty else { return nil }
    self.init(string: text)
  }
}
