import Store

/// A value of a record, as a store would hold it.
///
/// Numbers of type `decimal` and everything that is a date, a time, a UUID, a URL or JSON are text, exactly as it is
/// stored. ``DynamicRecord/value(_:as:)`` gives the same as a Swift type.
public enum RecordValue: Sendable, Hashable, CustomStringConvertible {
  /// The response does not have it: a run leaves what is stored as it is.
  case missing
  /// The response has it, and it is null, or blank where the type has no blank value.
  case null
  /// A value of a column of the type `boolean`.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A binary floating-point number; always finite.
  case real(Double)
  /// Text, and what is stored as such.
  case text(String)
  /// Bytes.
  case bytes([UInt8])

  /// The value as a short text: `null` and `missing` for those two, bytes as their count.
  public var description: String {
    switch self {
    case .missing: "missing"
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .bytes(let value): "\(value.count) bytes"
    }
  }

  /// Is there something, neither missing nor null?
  public var isPresent: Bool { self != .missing && self != .null }

  init(_ value: StoredValue?, in column: Column) {
    switch value {
    case nil: self = .missing
    case .null?: self = .null
    case .integer(let number)? where column.type == .boolean: self = .boolean(number != 0)
    case .integer(let number)?: self = .integer(number)
    case .real(let number)?: self = .real(number)
    case .text(let text)?: self = .text(text)
    case .bytes(let bytes)?: self = .bytes(bytes)
    }
  }
}
