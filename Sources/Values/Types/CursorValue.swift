package import Records

/// A value of a column, as the cursor of a walk keeps it: in the column's stored form, so that instants of different
/// offsets compare as instants.
package struct CursorValue: Sendable, Hashable {
  package let type: ColumnType
  /// As the column stores it; a number in decimal.
  package let text: String
  /// Of `any`: it is a number.
  package let isNumber: Bool

  /// Types whose values follow one another.
  package static let types: [ColumnType] = [.integer, .decimal, .real, .date, .timestamp, .text, .uuid, .url, .any]

  /// Nil for null, and for a type that has no order.
  package init?(_ cell: Cell, type: ColumnType) {
    guard Self.types.contains(type) else { return nil }
    self.type = type
    switch cell.kind {
    case .integer: (text, isNumber) = (String(cell.integerValue), true)
    case .real: (text, isNumber) = ("\(cell.realValue)", true)
    case .text: (text, isNumber) = (cell.stringValue, type == .decimal)
    case .missing, .null, .bytes: return nil
    }
  }

  /// What `kept` gave; nil for anything else.
  package init?(kept: String, type: ColumnType) {
    let bytes = Array(kept.utf8)
    guard bytes.count >= 2, bytes[1] == UInt8(ascii: " "),
      bytes[0] == UInt8(ascii: "n") || bytes[0] == UInt8(ascii: "t")
    else { return nil }
    self.type = type
    text = String(decoding: bytes[2...], as: UTF8.self)
    isNumber = bytes[0] == UInt8(ascii: "n")
  }

  /// For a store: `init(kept:type:)` reads it.
  package var kept: String { (isNumber ? "n " : "t ") + text }

  /// Negative, zero or positive; nil for a number and a text of type `any`, which have no order.
  package static func order(_ a: CursorValue, _ b: CursorValue) -> Int? {
    guard a.isNumber == b.isNumber else { return nil }
    let (left, right) = (Array(a.text.utf8), Array(b.text.utf8))
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard a.isNumber, let x = Numeral(left), let y = Numeral(right) else { return Bytes.order(left, right) }
        return Numeral.order(x, y)
      }
    }
  }

  /// Of dates and timestamps: so much earlier or, if negative, later.
  package func minus(_ duration: Duration) -> CursorValue? {
    guard let instant = Instant(iso: text) else { return nil }
    let (seconds, attoseconds) = duration.components
    var nanoseconds = Int64(instant.nanoseconds) - attoseconds / 1_000_000_000
    var whole = instant.seconds - seconds
    if nanoseconds < 0 { (whole, nanoseconds) = (whole - 1, nanoseconds + 1_000_000_000) }
    if nanoseconds >= 1_000_000_000 { (whole, nanoseconds) = (whole + 1, nanoseconds - 1_000_000_000) }
    return CursorValue(Instant(seconds: whole, nanoseconds: Int32(nanoseconds)), type: type)
  }

  /// A moment as a column of this type has it; nil for other types, and outside of the years 1…9999.
  package init?(_ instant: Instant, type: ColumnType) {
    let text = type == .date ? instant.civil?.date.text : type == .timestamp ? instant.stored : nil
    guard let text else { return nil }
    (self.type, self.text, isNumber) = (type, text, false)
  }

  /// As requests carry it: dates in `format`, else a timestamp as RFC 3339; nil when the format cannot say it.
  package func sent(format: DateFormat?) -> String? {
    guard type == .date || type == .timestamp, let instant = Instant(iso: text) else { return text }
    if let format { return format.format(instant) }
    return type == .date ? text : instant.rfc3339
  }
}
