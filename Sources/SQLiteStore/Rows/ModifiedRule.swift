import Records

/// `modified` of a record: which incoming rows are no news.
///
/// Numbers are compared as numbers, dates and timestamps by their text, which sorts; any other value has no order and
/// is no news when it is the stored one. A null on either side says nothing.
struct ModifiedRule {
  private enum Order {
    case number
    case decimal
    case instant
    case none
  }

  private let column: Int
  /// Among the values that a search gives; nil for a column of the key, which is always equal.
  private let place: Int?
  private let order: Order
  private let isReal: Bool

  init?(_ sql: TableSQL) {
    guard let column = sql.shape.modified else { return nil }
    let shape = sql.shape.columns[column]
    self.column = column
    place = sql.values.firstIndex(of: column)
    isReal = shape.declaredType == "REAL"
    switch shape.type {
    case .integer, .real, .boolean, .any: order = .number
    case .decimal: order = .decimal
    case .date, .timestamp: order = .instant
    default: order = .none
    }
  }

  /// Whether the row is not newer than what `stored` shows, whose values begin at column `first`.
  func isStale(_ cells: [Cell], at base: Int, against stored: Statement, first: Int) -> Bool {
    let cell = cells[base + column]
    // A default is no mark of the response's.
    guard cell.isPresent, cell.rule == .write else { return false }
    guard let place else { return true }
    guard !stored.isNull(first + place) else { return false }
    if stored.holds(cell, in: first + place, isReal: isReal) { return true }
    switch order {
    case .none: return false
    case .number:
      guard let old = Self.number(stored, first + place), let new = Self.number(cell) else { return false }
      return old >= new
    case .decimal, .instant:
      guard cell.kind == .text, stored.kind(first + place) == .text else { return false }
      return isNotBefore(stored.bytes(first + place), unsafe Array(cell.rawBytes))
    }
  }

  private func isNotBefore(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    if order == .decimal {
      guard let old = PlainDecimal(old), let new = PlainDecimal(new) else { return false }
      return !(old < new)
    }
    // Text that `on_invalid: keep_text` let in has no order.
    guard Self.isDated(old), Self.isDated(new) else { return false }
    return !old.lexicographicallyPrecedes(new)
  }

  private static func isDated(_ text: [UInt8]) -> Bool {
    text.count >= 10 && text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-")
  }

  private static func number(_ cell: Cell) -> StoredNumber? {
    switch cell.kind {
    case .integer: .integer(cell.integerValue)
    case .real: .real(cell.realValue)
    default: nil
    }
  }

  private static func number(_ stored: Statement, _ column: Int) -> StoredNumber? {
    switch stored.kind(column) {
    case .integer: .integer(stored.integer(column))
    case .real: .real(stored.real(column))
    default: nil
    }
  }
}

/// A number of a column, compared without rounding it.
enum StoredNumber {
  case integer(Int64)
  case real(Double)

  static func >= (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a >= b
    case (.real(let a), .real(let b)): a >= b
    case (.integer(let a), .real(let b)): isAtLeast(a, b)
    case (.real(let a), .integer(let b)): !(isAtLeast(b, a)) || Double(exactly: b) == a
    }
  }

  private static func isAtLeast(_ whole: Int64, _ real: Double) -> Bool {
    if real >= 0x1p63 { return false }
    if real < -0x1p63 { return true }
    // Rounding up leaves the order of a whole number to it unchanged.
    let ceiling = real.rounded(.up)
    return ceiling >= 0x1p63 ? false : whole >= Int64(ceiling)
  }
}

/// A number in plain notation, as a decimal column holds it, of any length.
struct PlainDecimal {
  private let isNegative: Bool
  private let whole: ArraySlice<UInt8>
  private let fraction: ArraySlice<UInt8>

  init?(_ text: [UInt8]) {
    var digits = ArraySlice(text)
    isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let zero = UInt8(ascii: "0")
    whole = digits[..<point].drop { $0 == zero }
    var fraction = digits[point...].dropFirst()
    while fraction.last == zero { fraction.removeLast() }
    self.fraction = fraction
    let isPlain = (whole + fraction).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard isPlain, point > digits.startIndex else { return nil }
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.isZero && right.isZero { return false }
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isShorter(than: left) : left.isShorter(than: right)
  }

  private var isZero: Bool { whole.isEmpty && fraction.isEmpty }

  /// Of the numbers without their signs.
  private func isShorter(than other: Self) -> Bool {
    if whole.count != other.whole.count { return whole.count < other.whole.count }
    if !whole.elementsEqual(other.whole) { return whole.lexicographicallyPrecedes(other.whole) }
    return fraction.lexicographicallyPrecedes(other.fraction)
  }
}
