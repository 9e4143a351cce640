package import JSONReading
package import Records
package import Values

/// Where a column's value comes from, and what becomes of it.
///
/// An object, as are the other plans that are looked at for each value: handing one on counts one reference, where a copy
/// of a struct would count one for each of its parts.
package final class FieldPlan: Sendable {
  package enum Source: Sendable {
    /// The first that is present and not null counts.
    case paths([PathAccess])
    /// A program that is run on the whole record.
    case program(JQProgram)
    case constant(ConstantCell)
  }

  package enum Presence: Sendable {
    case keep, null, `default`, error
  }

  package enum Invalid: Sendable {
    case reject, null, fail, keepText
  }

  package let column: Int
  /// The column's name, for rejections.
  package let name: String
  package let source: Source
  /// Nearly every field is one member, and nothing behind it: its node of the record's `MemberTree`. -1 for all others.
  package let node: Int
  package let conversion: Conversion
  package let defaultValue: ConstantCell?
  package let isRequired: Bool
  package let onMissing: Presence
  package let onNull: Presence
  package let onInvalid: Invalid
  package let isKey: Bool
  /// A key column of type `any`: one run must not see both numbers and texts in it.
  package let isUntypedKey: Bool

  init(
    column: Int, name: String, source: Source, conversion: Conversion, defaultValue: ConstantCell?, isRequired: Bool,
    onMissing: Presence, onNull: Presence, onInvalid: Invalid, isKey: Bool
  ) {
    (self.column, self.name, self.source, self.conversion) = (column, name, source, conversion)
    (self.defaultValue, self.isRequired) = (defaultValue, isRequired)
    (self.onMissing, self.onNull, self.onInvalid) = (onMissing, onNull, onInvalid)
    (self.isKey, isUntypedKey) = (isKey, isKey && conversion.type == .any)
    if case .paths(let paths) = source, paths.count == 1, paths[0].rest == nil, case .member(let node) = paths[0].origin
    {
      self.node = node
    } else {
      node = -1
    }
  }
}

/// A key path, resolved against the record's members as far as it goes.
package final class PathAccess: Sendable {
  package enum Origin: Sendable {
    /// A node of the record's `MemberTree`; `rest` is what the key path says beyond it.
    case member(node: Int)
    /// A `$…` value: the key path's origin, evaluated in the record's context.
    case context
  }

  package let origin: Origin
  /// The whole key path.
  package let path: KeyPath
  /// The steps behind the node, or behind the context's value.
  package let rest: KeyPath?

  package init(origin: Origin, path: KeyPath, rest: KeyPath?) {
    self.origin = origin
    self.path = path
    self.rest = rest
  }
}

/// A constant, ready to be stored: the cell's bytes live as long as the plan.
package final class ConstantCell: Sendable {
  // The arena is written in the initializer only, and the cell points into it.
  private nonisolated(unsafe) let arena: ByteArena
  package let cell: Cell

  package init(_ make: (ByteArena) -> Cell) {
    let arena = ByteArena()
    self.arena = arena
    cell = make(arena)
  }
}
