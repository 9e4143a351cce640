package import Records

extension Literal {
  /// What a type makes of a constant.
  package enum Typed: Sendable, Equatable {
    case literal(Literal)
    case invalid(String)
  }

  /// The value of a variable of this type, however it was written: `2015-07-02T10:00` as a date is `2015-07-02`, `7.0`
  /// as an integer is `7`.
  ///
  /// A decimal is text, so that every digit stays; a timestamp is written as RFC 3339, in UTC, as requests have it.
  /// Blank text is null for the types that have no blank value.
  package func typed(as type: ColumnType) -> Typed {
    guard let conversion = Conversion.compile(ConversionSpec(type: type)).conversion else { return .literal(self) }
    let arena = ByteArena()
    switch conversion.convert(self, into: arena) {
    case .invalid(let reason): return .invalid(reason)
    case .null: return .literal(.null)
    case .cell(let cell): return .literal(literal(of: cell, type))
    }
  }

  private func literal(of cell: Cell, _ type: ColumnType) -> Literal {
    switch (type, cell.kind) {
    // What came stays: any value is right, and base64 is text until it is stored.
    case (.any, _), (.bytes, _), (_, .bytes), (_, .missing): return self
    case (.boolean, _): return .boolean(cell.integerValue != 0)
    case (_, .null): return .null
    case (_, .integer): return .number(String(cell.integerValue))
    case (_, .real): return .number(String(cell.realValue))
    case (.timestamp, .text): return .text(Instant(iso: cell.stringValue)?.rfc3339 ?? cell.stringValue)
    case (_, .text): return .text(cell.stringValue)
    }
  }
}
