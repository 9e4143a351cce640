import JSONReading

/// Tells objects that are dictionaries, `{"7": {…}, "8": {…}}`, from those that have members.
enum Dictionaries {
  /// Names alone decide when all are ids; else there must be so many that look alike.
  private static let fewest = 4

  static func isOne(_ shape: ValueShape) -> Bool {
    guard shape.isObject else { return false }
    if shape.values != nil { return shape.members.allSatisfy { $0.shape.isObject } }
    guard shape.members.count >= 2, shape.members.allSatisfy({ $0.shape.isObject }) else { return false }
    if shape.members.allSatisfy({ isID($0.name.bytes) }) { return true }
    return shape.members.count >= fewest && areAlike(shape.members.map(\.shape))
  }

  /// Lists by ids: `{"2024-01-01": [{…}], "2024-01-02": [{…}]}`.
  static func isOneOfLists(_ shape: ValueShape) -> Bool {
    guard shape.isObject, shape.values == nil, shape.members.count >= 2 else { return false }
    return shape.members.allSatisfy { isID($0.name.bytes) && $0.shape.isArray && $0.shape.nulls == 0 }
      && (shape.allValues.element.map { $0.isObject && $0.nulls == 0 } ?? false)
  }

  /// Digits, a date, a UUID, or letters and digits mixed, as ids are.
  static func isID(_ name: [UInt8]) -> Bool {
    let digits = name.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits > 0 else { return false }
    if digits == name.count { return true }
    if digits >= 6, name.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: "-") }) { return true }
    return name.count >= 6 && digits * 4 >= name.count
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Nearly every member stands in nearly all of them.
  private static func areAlike(_ shapes: [ValueShape]) -> Bool {
    var counts: [JSONName: Int] = [:]
    for shape in shapes {
      for (name, _) in shape.members { counts[name, default: 0] += 1 }
    }
    guard counts.count >= 2 else { return false }
    let shared = counts.values.reduce(0, +)
    return Double(shared) >= 0.8 * Double(counts.count * shapes.count)
  }
}
