/// A value on its way to a column: what JSON, a constant or the context gave. Its bytes are lent, like a `Cell`'s.
@frozen package struct RawValue {
  @frozen package enum Kind: UInt8 {
    case null, boolean, number, text
    /// An object or an array.
    case structure
  }

  package var kind: Kind
  /// A boolean's value. A number: it has neither fraction nor exponent.
  package var flag: Bool
  /// A text after its escapes are decoded, a number's source text, a structure's JSON text.
  package var text: UnsafeRawBufferPointer
  /// The JSON text that it was read from; empty for what did not come from JSON.
  package var source: UnsafeRawBufferPointer

  @inlinable package init(
    kind: Kind, flag: Bool = false, text: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    source: UnsafeRawBufferPointer = .init(start: nil, count: 0)
  ) {
    self.kind = kind
    self.flag = flag
    self.text = text
    self.source = source
  }

  @inlinable package static var null: RawValue { RawValue(kind: .null) }
}
