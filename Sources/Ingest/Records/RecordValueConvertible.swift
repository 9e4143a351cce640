/// A type that a value of a record can be read as: see ``DynamicRecord/value(_:as:)``.
///
/// `Bool`, `Int`, `Int64`, `Double`, `String`, `[UInt8]`, ``RecordValue``, and of Foundation `Date`, `Decimal`, `UUID` and
/// `URL` are such types; so is an optional of each, which is nil for a value that is null or missing. Your own types
/// join them by an initializer:
///
/// ```swift
/// enum Rig: String, RecordValueConvertible {
///   case sloop, ketch, yawl
///
///   init?(recordValue: RecordValue) {
///     guard case .text(let name) = recordValue else { return nil }
///     self.init(rawValue: name)
///   }
/// }
///
/// let rig = try boat.value("rig", as: Rig?.self)
/// ```
public protocol RecordValueConvertible {
  /// Nil when the value is not one of this type. Nothing is rounded, cut or guessed.
  init?(recordValue: RecordValue)
}

extension RecordValue: RecordValueConvertible {
  /// The value itself.
  public init?(recordValue: RecordValue) { self = recordValue }
}

extension Bool: RecordValueConvertible {
  /// A value of a column of the type `boolean`.
  public init?(recordValue: RecordValue) {
    guard case .boolean(let value) = recordValue else { return nil }
    self = value
  }
}

extension Int64: RecordValueConvertible {
  /// A whole number.
  public init?(recordValue: RecordValue) {
    guard case .integer(let value) = recordValue else { return nil }
    self = value
  }
}

extension Int: RecordValueConvertible {
  /// A whole number.
  public init?(recordValue: RecordValue) {
    guard case .integer(let value) = recordValue else { return nil }
    self.init(exactly: value)
  }
}

extension Double: RecordValueConvertible {
  /// A floating-point number, or a whole number that is one exactly.
  public init?(recordValue: RecordValue) {
    switch recordValue {
    case .real(let value): self = value
    case .integer(let value): self.init(exactly: value)
    case .missing, .null, .boolean, .text, .bytes: return nil
    }
  }
}

extension String: RecordValueConvertible {
  /// Text, and whatever is stored as text: decimals, dates, UUIDs, URLs, JSON.
  public init?(recordValue: RecordValue) {
    guard case .text(let value) = recordValue else { return nil }
    self = value
  }
}

extension [UInt8]: RecordValueConvertible {
  /// Bytes.
  public init?(recordValue: RecordValue) {
    guard case .bytes(let value) = recordValue else { return nil }
    self = value
  }
}

extension Optional: RecordValueConvertible where Wrapped: RecordValueConvertible {
  /// Nil, as a value, of what is null or missing; else what the wrapped type makes of it.
  public init?(recordValue: RecordValue) {
    guard recordValue.isPresent else {
      self = .none
      return
    }
    guard let value = Wrapped(recordValue: recordValue) else { return nil }
    self = .some(value)
  }
}
