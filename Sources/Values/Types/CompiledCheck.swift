import Records

/// `check`, compiled: it looks at the value as its column stores it.
struct CompiledCheck: Sendable {
  private let type: ColumnType
  private let min: Bound?
  private let max: Bound?
  private let pattern: RegularExpression?
  private let minLength: Int?
  private let maxLength: Int?
  private let oneOf: [Bound]?

  /// A constant that values are compared with.
  private struct Bound: Sendable {
    var value: StoredValue
    /// For `any`, which compares as conditions do.
    var scalar: ScalarComparison
  }

  static func compile(
    _ check: Check, _ bare: Conversion, _ issues: inout [ConversionIssue]
  ) -> CompiledCheck? {
    let before = issues.count
    let min = bound(check.min, bare, .checkMin, &issues)
    let max = bound(check.max, bare, .checkMax, &issues)
    if let low = min, let high = max, let order = StoredValue.order(low.value, high.value, bare.type), order > 0 {
      issues.append(ConversionIssue(.checkMin, .badValue, "the smallest value is larger than the largest one"))
    }
    if let low = check.minLength, let high = check.maxLength, low > high {
      issues.append(ConversionIssue(.checkLength, .badValue, "the smallest length is larger than the largest one"))
    }
    if check.minLength ?? 0 < 0 || check.maxLength ?? 0 < 0 {
      issues.append(ConversionIssue(.checkLength, .badValue, "a length is at least 0"))
    }
    var oneOf: [Bound]?
    if let listed = check.oneOf {
      oneOf = []
      for (index, literal) in listed.enumerated() where literal != .null {
        if let value = StoredValue(literal, by: bare, .checkOneOf(index), &issues) {
          oneOf?.append(Bound(value: value, scalar: ScalarComparison(literal)))
        }
      }
    }
    let pattern = compilePattern(check, &issues)
    guard issues.count == before else { return nil }
    return CompiledCheck(
      type: bare.type, min: min, max: max, pattern: pattern, minLength: check.minLength, maxLength: check.maxLength,
      oneOf: oneOf)
  }

  /// Looks at the pattern alone, when the rest cannot be judged.
  static func findBadPattern(_ check: Check?, _ issues: inout [ConversionIssue]) {
    if let check { _ = compilePattern(check, &issues) }
  }

  private static func compilePattern(_ check: Check, _ issues: inout [ConversionIssue]) -> RegularExpression? {
    guard let pattern = check.pattern else { return nil }
    do throws(ConversionIssue) {
      return try RegularExpression(pattern, .checkPattern)
    } catch {
      issues.append(error)
      return nil
    }
  }

  private static func bound(
    _ literal: Literal?, _ bare: Conversion, _ part: ConversionIssue.Part, _ issues: inout [ConversionIssue]
  ) -> Bound? {
    guard let literal else { return nil }
    guard bare.type != .json, bare.type != .bytes else {
      issues.append(ConversionIssue(part, .badValue, "values of type \(bare.type.rawValue) have no order"))
      return nil
    }
    // A whole number may lie between bounds that are none.
    let judge = bare.type == .integer ? Conversion.compile(ConversionSpec(type: .decimal)).conversion ?? bare : bare
    guard var value = StoredValue(literal, by: judge, part, &issues) else { return nil }
    if bare.type == .integer { value = value.wholeIfPossible }
    if case .null = value {
      issues.append(ConversionIssue(part, .badConstant, "nothing is compared with null"))
      return nil
    }
    return Bound(value: value, scalar: ScalarComparison(literal))
  }

  /// Why a cell does not pass; nil when it does.
  func reason(against cell: Cell, _ arena: ByteArena) -> String? {
    if let min, !(order(cell, min, arena).map { $0 >= 0 } ?? false) { return "the value is less than 'min'" }
    if let max, !(order(cell, max, arena).map { $0 <= 0 } ?? false) { return "the value is more than 'max'" }
    if let oneOf, !oneOf.contains(where: { equals(cell, $0, arena) }) { return "the value is not listed in 'one_of'" }
    guard minLength != nil || maxLength != nil || pattern != nil else { return nil }
    let text = Self.text(of: cell, arena)
    let length = cell.kind == .bytes ? text.count : text.codePointCount
    let unit = cell.kind == .bytes ? "bytes" : "characters"
    if let minLength, length < minLength { return "a length of \(length) \(unit) is less than \(minLength)" }
    if let maxLength, length > maxLength { return "a length of \(length) \(unit) is more than \(maxLength)" }
    guard let pattern else { return nil }
    switch pattern.search(text, { _ in () }) {
    case .found: return nil
    case .none: return "the value does not match 'pattern'"
    case .failed(let reason): return reason
    }
  }

  /// A cell as text: digits for numbers.
  private static func text(of cell: Cell, _ arena: ByteArena) -> Bytes {
    switch cell.kind {
    case .integer: arena.copy(String(cell.integerValue))
    case .real: arena.copy(cell.realValue.description)
    case .missing, .null, .text, .bytes: cell.rawBytes
    }
  }

  private func order(_ cell: Cell, _ bound: Bound, _ arena: ByteArena) -> Int? {
    type == .any ? bound.scalar.order(of: Self.raw(cell, arena)) : bound.value.order(of: cell, as: type)
  }

  private func equals(_ cell: Cell, _ bound: Bound, _ arena: ByteArena) -> Bool {
    if type == .any, bound.scalar.equals(Self.raw(cell, arena)) { return true }
    return bound.value.order(of: cell, as: type) == 0
  }

  private static func raw(_ cell: Cell, _ arena: ByteArena) -> RawValue {
    switch cell.kind {
    case .integer, .real: .number(text(of: cell, arena))
    case .missing, .null, .text, .bytes: .text(cell.rawBytes)
    }
  }
}

extension StoredValue {
  /// As the type compares: numbers by value, dates as instants (which their stored texts sort by), text by code point.
  /// Negative when the cell comes before this constant; nil when the two have no order.
  fileprivate func order(of cell: Cell, as type: ColumnType) -> Int? {
    switch (cell.kind, self) {
    case (.integer, .integer(let value)): cell.integerValue < value ? -1 : cell.integerValue > value ? 1 : 0
    case (.real, .real(let value)): cell.realValue < value ? -1 : cell.realValue > value ? 1 : 0
    case (.integer, .text(let digits)):
      Array(String(cell.integerValue).utf8).withUnsafeBytes { Self.order($0, digits, .decimal) }
    case (.text, .text(let bytes)), (.bytes, .bytes(let bytes)): Self.order(cell.rawBytes, bytes, type)
    default: nil
    }
  }

  private static func order(_ a: Bytes, _ b: [UInt8], _ type: ColumnType) -> Int? {
    b.withUnsafeBytes { b in
      guard type == .decimal else { return Bytes.order(a, b) }
      guard let a = Numeral(a), let b = Numeral(b) else { return nil }
      return Numeral.order(a, b)
    }
  }

  /// Digits as the integer that they are, if they are one.
  fileprivate var wholeIfPossible: StoredValue {
    guard case .text(let digits) = self else { return self }
    return digits.withUnsafeBytes { Numeral($0)?.int64 }.map { .integer($0) } ?? self
  }

  /// Nil when two constants have no order.
  fileprivate static func order(_ a: StoredValue, _ b: StoredValue, _ type: ColumnType) -> Int? {
    let arena = ByteArena()
    // One of two bounds of an integer may be none.
    let (a, b) = type == .integer ? (a.digits, b.digits) : (a, b)
    guard case .cell(let cell) = a.converted(arena) else { return nil }
    return withExtendedLifetime(arena) { b.order(of: cell, as: type == .integer ? .decimal : type) }
  }

  private var digits: StoredValue {
    if case .integer(let value) = self { .text(Array(String(value).utf8)) } else { self }
  }
}
