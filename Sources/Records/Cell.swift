/// One value of a row on its way to a store: 16 bytes, no reference.
///
/// Text and bytes are not copied: the cell points into a window of the response or into an arena, which the
/// `RecordBatch` that holds the cell keeps alive.
@frozen package struct Cell {
  @frozen package enum Kind: UInt8 {
    /// The response does not have it: an update leaves the column alone, an insert stores null.
    case missing
    case null
    case integer
    case real
    case text
    case bytes
  }

  /// How the value is applied to a row that is there already.
  @frozen package enum Rule: UInt8 {
    case write
    /// A default: stored in a new row, never over a stored value.
    case onlyInsert
    /// Stays where it is stored already, is null otherwise: the key of a single child that was rejected. A cell that is
    /// null itself stands for a key that is not known.
    case keepIfEqual
    /// The key that the store generates for a row of this batch: the integer is the row's number in the parent's table.
    case generatedKey
  }

  /// The integer, the bits of the double, or the address of the bytes.
  package var payload: UInt64
  package var length: UInt32
  package var kind: Kind
  package var rule: Rule

  @inlinable package init(payload: UInt64, length: UInt32, kind: Kind, rule: Rule = .write) {
    self.payload = payload
    self.length = length
    self.kind = kind
    self.rule = rule
  }

  @inlinable package static var missing: Cell { Cell(payload: 0, length: 0, kind: .missing) }
  @inlinable package static var null: Cell { Cell(payload: 0, length: 0, kind: .null) }

  @inlinable package static func integer(_ value: Int64) -> Cell {
    Cell(payload: UInt64(bitPattern: value), length: 0, kind: .integer)
  }

  @inlinable package static func real(_ value: Double) -> Cell {
    Cell(payload: value.bitPattern, length: 0, kind: .real)
  }

  /// Bytes that outlive the cell: see the type's comment.
  @inlinable package static func text(_ bytes: UnsafeRawBufferPointer) -> Cell {
    Cell(payload: UInt64(UInt(bitPattern: bytes.baseAddress)), length: UInt32(bytes.count), kind: .text)
  }

  @inlinable package static func bytes(_ bytes: UnsafeRawBufferPointer) -> Cell {
    Cell(payload: UInt64(UInt(bitPattern: bytes.baseAddress)), length: UInt32(bytes.count), kind: .bytes)
  }

  @inlinable package var integerValue: Int64 { Int64(bitPattern: payload) }
  @inlinable package var realValue: Double { Double(bitPattern: payload) }

  /// The text or bytes, for as long as the batch lives.
  @inlinable package var rawBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(payload)), count: Int(length))
  }

  /// A copy of the text; invalid UTF-8 does not occur.
  package var stringValue: String { String(decoding: rawBytes, as: UTF8.self) }

  @inlinable package var isPresent: Bool { kind != .missing && kind != .null }

  /// The same kind and the same bytes: how keys are compared.
  @inlinable package func isSame(as other: Cell) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .missing, .null: return true
    case .integer, .real: return payload == other.payload
    case .text, .bytes: return rawBytes.elementsEqual(other.rawBytes)
    }
  }
}
