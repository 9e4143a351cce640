import Records

/// `map` and `map_else`: a table from values to values of the column's type.
struct ValueTable: Sendable {
  private let entries: [(from: ScalarComparison, to: StoredValue)]
  private let other: StoredValue?

  static func compile(
    _ spec: ConversionSpec, _ bare: Conversion, _ issues: inout [ConversionIssue]
  ) -> ValueTable? {
    var other: StoredValue?
    if let literal = spec.mapElse {
      other = StoredValue(literal, by: bare, .mapElse, &issues)
    }
    guard let map = spec.map else { return nil }
    var entries: [(from: ScalarComparison, to: StoredValue)] = []
    for (index, entry) in map.enumerated() {
      if let value = StoredValue(entry.to, by: bare, .mapValue(index), &issues) {
        entries.append((ScalarComparison(entry.from), value))
      }
    }
    return ValueTable(entries: entries, other: other)
  }

  func look(up value: RawValue, _ arena: ByteArena) -> Converted {
    if let entry = entries.first(where: { $0.from.equals(value) }) { return entry.to.converted(arena) }
    return other?.converted(arena) ?? .invalid("\(value.shape) is not listed in 'map'")
  }
}

/// A constant of the mapping as its column stores it; it owns its bytes.
enum StoredValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case bytes([UInt8])

  init(_ cell: Cell) {
    switch cell.kind {
    case .missing, .null: self = .null
    case .integer: self = .integer(cell.integerValue)
    case .real: self = .real(cell.realValue)
    case .text: self = .text(Array(cell.rawBytes))
    case .bytes: self = .bytes(Array(cell.rawBytes))
    }
  }

  /// Nil, with an issue, when the type refuses the constant.
  init?(_ literal: Literal, by conversion: Conversion, _ part: ConversionIssue.Part, _ issues: inout [ConversionIssue])
  {
    let arena = ByteArena()
    switch conversion.convert(literal, into: arena) {
    case .cell(let cell): self.init(cell)
    case .null: self = .null
    case .invalid(let reason):
      issues.append(
        ConversionIssue(part, .badConstant, "\(literal.quoted) is not \(conversion.type.withArticle)", hint: reason))
      return nil
    }
  }

  func converted(_ arena: ByteArena) -> Converted {
    switch self {
    case .null: .null
    case .integer(let value): .cell(.integer(value))
    case .real(let value): .cell(.real(value))
    case .text(let bytes): .cell(.text(arena.copy(bytes)))
    case .bytes(let bytes): .cell(.bytes(arena.copy(bytes)))
    }
  }
}

extension Literal {
  /// The constant in quotes, for messages: it is the mapping's own text, no value of a record.
  var quoted: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "'\(value)'"
    case .number(let text): "'\(text)'"
    case .text(let text): "'\(text)'"
    }
  }
}
