/// The kind of a JSON value.
@frozen package enum JSONKind: UInt8, Sendable {
  case null, `true`, `false`, number, string, array, object
}

extension JSONKind {
  /// How messages speak of it.
  package var spoken: String {
    switch self {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// One value, or one member's name, of a complete JSON text. Nodes lie in document order; an object's children are name,
/// value, name, value, …
@frozen package struct JSONNode {
  /// Where the value's text begins and ends, in bytes of the window. A string's text has its quotes.
  package var start: UInt32
  package var end: UInt32
  /// Index of the first node behind this value and all that is in it.
  package var next: UInt32
  package var kind: JSONKind
  /// A string: it holds an escape. A number: it has a fraction or an exponent.
  package var isSpecial: Bool

  @inlinable package init(start: UInt32, end: UInt32, next: UInt32, kind: JSONKind, isSpecial: Bool) {
    self.start = start
    self.end = end
    self.next = next
    self.kind = kind
    self.isSpecial = isSpecial
  }
}

/// A validated JSON value inside a window: a pointer, not a copy.
///
/// It is lent: valid as long as its `JSONDocument` holds the text, or, for a record that a body reader hands out, until
/// the receiver returns. The bytes live as long as the window; keep that to keep them.
///
/// Other targets that look at every member or value read `nodes` and `bytes` themselves: stored properties are read in
/// place, while the properties and methods below are calls from there, `@inlinable` or not.
@frozen package struct JSONValue {
  /// The window's text.
  package let bytes: UnsafePointer<UInt8>
  /// The window's values; `index` is this value's own.
  package let nodes: UnsafePointer<JSONNode>
  package let index: Int

  @inlinable package init(bytes: UnsafePointer<UInt8>, nodes: UnsafePointer<JSONNode>, index: Int) {
    self.bytes = bytes
    self.nodes = nodes
    self.index = index
  }

  @inlinable var node: JSONNode { nodes[index] }
  @inlinable package var kind: JSONKind { node.kind }
  @inlinable package var isNull: Bool { kind == .null }
  /// Index of the first node behind this value.
  @inlinable package var next: Int { Int(node.next) }

  /// The same text's value at another node.
  @inlinable package func at(_ index: Int) -> JSONValue { JSONValue(bytes: bytes, nodes: nodes, index: index) }

  /// The value's source text, verbatim; a string with its quotes.
  @inlinable package var rawText: UnsafeRawBufferPointer {
    let node = node
    return UnsafeRawBufferPointer(start: bytes + Int(node.start), count: Int(node.end - node.start))
  }

  /// A number without fraction and exponent.
  @inlinable package var isInteger: Bool { kind == .number && !node.isSpecial }

  /// A string whose text holds an escape, so that `stringText` is not its value.
  @inlinable package var hasEscapes: Bool { node.isSpecial }

  /// A string's text between its quotes, escapes as they are.
  @inlinable package var stringText: UnsafeRawBufferPointer {
    let node = node
    return UnsafeRawBufferPointer(start: bytes + Int(node.start) + 1, count: Int(node.end - node.start) - 2)
  }

  /// An array or object without elements.
  @inlinable package var isEmpty: Bool { Int(node.next) == index + 1 }

  /// Calls `body` with each element of an array; nothing for other kinds.
  @inlinable package func forEachElement<Failure: Error>(_ body: (JSONValue) throws(Failure) -> Void) throws(Failure) {
    guard kind == .array else { return }
    var child = index + 1
    let end = next
    while child < end {
      let value = at(child)
      try body(value)
      child = value.next
    }
  }

  /// Calls `body` with the name and value of each member of an object; nothing for other kinds. `name` is a string.
  @inlinable package func forEachMember<Failure: Error>(
    _ body: (_ name: JSONValue, _ value: JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard kind == .object else { return }
    var child = index + 1
    let end = next
    while child < end {
      let value = at(child + 1)
      try body(at(child), value)
      child = value.next
    }
  }
}
