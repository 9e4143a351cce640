/// The core rules of YAML 1.2 for plain scalars, narrowed to what a mapping needs.
///
/// Numbers are decimal, so that their text is the number. What the core schema also calls a number is text here:
/// `0o7` and `0x1F`, `.inf` and `.nan`, and whatever has a leading zero (`012`, `00.5`). A sign, `.5` and `5.` are fine.
enum CoreSchema {
  static func resolve(_ text: String) -> YAMLScalar.Core {
    switch text {
    case "", "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .boolean(true)
    case "false", "False", "FALSE": .boolean(false)
    default: number(Array(text.utf8))
    }
  }

  private static func number(_ bytes: [UInt8]) -> YAMLScalar.Core {
    var rest = bytes[...]
    if let sign = rest.first, isSign(sign) { rest.removeFirst() }
    let whole = digits(&rest)
    guard whole.count < 2 || whole.first != UInt8(ascii: "0") else { return .text }
    if rest.isEmpty { return whole.isEmpty ? .text : .integer }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = digits(&rest)
      guard !whole.isEmpty || !fraction.isEmpty else { return .text }
    } else if whole.isEmpty {
      return .text
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, isSign(sign) { rest.removeFirst() }
      guard !digits(&rest).isEmpty else { return .text }
    }
    return rest.isEmpty ? .real : .text
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let found = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(found.count)
    return found
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }
}
