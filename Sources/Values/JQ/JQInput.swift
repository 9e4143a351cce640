import CJQ
import JSONReading

/// A record's value as libjq wants it, built from its nodes.
struct JQInput {
  /// Memory in which escapes are decoded.
  private var decoded: [UInt8] = []

  /// The caller owns the result. Recursion is as deep as the value, which `JSONLimits.depth` bounds.
  mutating func make(_ value: JSONValue) -> jv {
    switch value.kind {
    case .null: return jv_null()
    case .true: return jv_true()
    case .false: return jv_false()
    case .number: return number(value.rawText)
    case .string: return string(value)
    case .array:
      var array = jv_array()
      value.forEachElement { array = jv_array_append(array, make($0)) }
      return array
    case .object:
      var object = jv_object()
      value.forEachMember { object = jv_object_set(object, string($0), make($1)) }
      return object
    }
  }

  /// A number that a double cannot hold to its last digit is a text of its digits.
  private func number(_ text: Bytes) -> jv {
    guard let numeral = Numeral(text) else { preconditionFailure("a JSON number is a numeral") }
    guard numeral.survivesJQ, let double = numeral.double else { return Self.string(text) }
    return jv_number(double)
  }

  private mutating func string(_ value: JSONValue) -> jv {
    guard value.hasEscapes else { return Self.string(value.stringText) }
    let room = value.stringText.count
    if decoded.count < room { decoded = [UInt8](repeating: 0, count: room) }
    return decoded.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return Self.string(Bytes(start: nil, count: 0)) }
      return Self.string(Bytes(start: start, count: value.decodeString(into: start)))
    }
  }

  private static func string(_ text: Bytes) -> jv {
    guard let start = text.baseAddress, let count = Int32(exactly: text.count) else { return jv_string_empty(0) }
    return jv_string_sized(start.assumingMemoryBound(to: CChar.self), count)
  }
}
