import CSQLite
import Records
import Store
import Values

/// The SQL function `_ingest_as(value, from, to)`: a stored value as another type of the mapping would have it, or NULL
/// when it is none of that type.
enum StoredConversion {
  static func sql(_ value: String, _ change: TypeChange) -> String {
    change.keepsValues ? value : "_ingest_as(\(value), '\(change.from.name)', '\(change.to.name)')"
  }

  static func register(on connection: Connection) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let status = unsafe sqlite3_create_function_v2(
      connection.handle, "_ingest_as", 3, flags, nil,
      { context, _, values in
        guard let context = unsafe context, let values = unsafe values else { return }
        unsafe StoredConversion.run(context, values)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw connection.failure(status) }
  }

  private static let conversions: [ColumnType: Conversion] = {
    var conversions: [ColumnType: Conversion] = [:]
    for type in ColumnType.allCases {
      conversions[type] = Conversion.compile(ConversionSpec(type: type)).conversion
    }
    return conversions
  }()

  private static func run(_ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>) {
    guard let value = unsafe values[0], let from = unsafe type(values[1]), let to = unsafe type(values[2]),
      let literal = unsafe literal(value, from)
    else { return unsafe sqlite3_result_null(context) }
    let arena = ByteArena()
    guard let cell = convert(literal, to, arena) else { return unsafe sqlite3_result_null(context) }
    unsafe give(cell, to: context)
    withExtendedLifetime(arena) {}
  }

  private static func type(_ value: OpaquePointer?) -> StoredType? {
    guard let text = unsafe sqlite3_value_text(value) else { return nil }
    return unsafe StoredType(noted: String(cString: text))
  }

  /// The value as JSON would have brought it; nil for NULL, and for bytes, which are no value of another type.
  private static func literal(_ value: OpaquePointer, _ from: StoredType) -> Literal? {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      let number = unsafe sqlite3_value_int64(value)
      return from.type == .boolean ? .boolean(number != 0) : .number(String(number))
    case SQLITE_FLOAT: return .number(shortest(unsafe sqlite3_value_double(value)))
    case SQLITE_TEXT:
      guard let start = unsafe sqlite3_value_text(value) else { return nil }
      let count = Int(unsafe sqlite3_value_bytes(value))
      return .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    default: return nil
    }
  }

  /// The shortest notation that reads as the same double: `2`, `0.1`, `1e300`.
  static func shortest(_ value: Double) -> String {
    var text = value.description
    if text.hasSuffix(".0") { text.removeLast(2) }
    return String(text.filter { $0 != "+" })
  }

  private static func convert(_ literal: Literal, _ to: StoredType, _ arena: ByteArena) -> Cell? {
    for type in to.takesAnyText ? [to.type, .text] : [to.type] {
      guard let conversion = conversions[type] else { continue }
      if case .cell(let cell) = conversion.convert(literal, into: arena) { return cell }
    }
    return nil
  }

  private static func give(_ cell: Cell, to context: OpaquePointer) {
    switch cell.kind {
    case .missing, .null: unsafe sqlite3_result_null(context)
    case .integer: unsafe sqlite3_result_int64(context, cell.integerValue)
    case .real: unsafe sqlite3_result_double(context, cell.realValue)
    case .text, .bytes:
      let bytes = unsafe cell.rawBytes
      unsafe csqlite_result_copied(context, bytes.baseAddress, UInt64(bytes.count), cell.kind == .text ? 1 : 0)
    }
  }
}
