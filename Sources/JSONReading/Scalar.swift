/// The grammar of what is neither a string nor a container.
enum Scalar {
  /// Where the number or literal that begins at `at` ends; -1 when there is none. What follows it is not checked.
  @inline(__always) static func end(
    _ bytes: UnsafePointer<UInt8>, _ at: Int, _ kind: inout JSONKind, _ isSpecial: inout Bool
  ) -> Int {
    switch bytes[at] {
    case UInt8(ascii: "t"):
      kind = .true
      return word(bytes + at) == 0x6575_7274 ? at &+ 4 : -1
    case UInt8(ascii: "f"):
      kind = .false
      return word(bytes + at + 1) == 0x6573_6C61 ? at &+ 5 : -1
    case UInt8(ascii: "n"):
      kind = .null
      return word(bytes + at) == 0x6C6C_756E ? at &+ 4 : -1
    default:
      kind = .number
      return numberEnd(bytes, at, &isSpecial)
    }
  }

  @inline(__always) private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  @inline(__always) private static func numberEnd(
    _ bytes: UnsafePointer<UInt8>, _ at: Int, _ isSpecial: inout Bool
  ) -> Int {
    var at = at
    if bytes[at] == UInt8(ascii: "-") { at &+= 1 }
    if bytes[at] == UInt8(ascii: "0") {
      at &+= 1
    } else {
      if !isDigit(bytes[at]) { return -1 }
      repeat { at &+= 1 } while isDigit(bytes[at])
    }
    if bytes[at] == UInt8(ascii: ".") {
      isSpecial = true
      at &+= 1
      if !isDigit(bytes[at]) { return -1 }
      repeat { at &+= 1 } while isDigit(bytes[at])
    }
    if bytes[at] | 0x20 == UInt8(ascii: "e") {
      isSpecial = true
      at &+= 1
      if bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at &+= 1 }
      if !isDigit(bytes[at]) { return -1 }
      repeat { at &+= 1 } while isDigit(bytes[at])
    }
    return at
  }
}
