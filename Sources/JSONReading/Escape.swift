import Glibc

/// JSON's escapes: `\n`, `\u00e9`, pairs of surrogates.
enum Escape {
  /// Length of the escape at a backslash; 0 when it is none, or half a pair of surrogates.
  static func length(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int {
    guard count >= 2 else { return 0 }
    switch text[1] {
    case Byte.quote, Byte.backslash, Byte.slash: return 2
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return 2
    case UInt8(ascii: "u"):
      let unit = count >= 6 ? unit(text + 2) : -1
      if unit < 0 || isLowSurrogate(unit) { return 0 }
      if !isHighSurrogate(unit) { return 6 }
      guard count >= 12, text[6] == Byte.backslash, text[7] == UInt8(ascii: "u") else { return 0 }
      return isLowSurrogate(self.unit(text + 8)) ? 12 : 0
    default: return 0
    }
  }

  /// Why `length` was 0.
  static func fault(_ text: UnsafePointer<UInt8>, _ count: Int, at: Int) -> TextFault {
    if count >= 6, text[1] == UInt8(ascii: "u"), unit(text + 2) >= 0 {
      return TextFault(.invalidText, "half a surrogate pair in a text", at: at)
    }
    return TextFault(.syntax, "a backslash in a text that begins no escape of JSON", at: at)
  }

  /// Decodes a text whose escapes were checked. The result is never longer than the text; returns its length.
  static func decode(_ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) -> Int {
    guard var from = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    let end = from + text.count
    let start = target.assumingMemoryBound(to: UInt8.self)
    var to = start
    while from < end {
      let hit = memchr(from, Int32(Byte.backslash), end - from)
      let plain = hit.map { UnsafeRawPointer($0) - UnsafeRawPointer(from) } ?? (end - from)
      memcpy(to, from, plain)
      from += plain
      to += plain
      if hit == nil { break }
      from += decodeOne(from, end - from, &to)
    }
    return to - start
  }

  /// Decodes the escape at a backslash; returns its length.
  private static func decodeOne(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ to: inout UnsafeMutablePointer<UInt8>
  ) -> Int {
    let length = length(text, count)
    if length == 2 {
      to[0] = short(text[1])
      to += 1
      return 2
    }
    guard length > 2 else { preconditionFailure("escapes are checked before they are decoded") }
    var scalar = unit(text + 2)
    if length == 12 { scalar = 0x10000 + ((scalar - 0xD800) << 10) + (unit(text + 8) - 0xDC00) }
    to += encode(UInt32(scalar), to)
    return length
  }

  /// Writes a scalar as UTF-8; returns how many bytes it takes.
  @inline(__always) static func encode(_ scalar: UInt32, _ to: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (scalar >> shift) & 0x3F) }
    if scalar < 0x80 {
      to[0] = UInt8(scalar)
      return 1
    }
    if scalar < 0x800 {
      (to[0], to[1]) = (UInt8(0xC0 | scalar >> 6), tail(0))
      return 2
    }
    if scalar < 0x10000 {
      (to[0], to[1], to[2]) = (UInt8(0xE0 | scalar >> 12), tail(6), tail(0))
      return 3
    }
    (to[0], to[1], to[2], to[3]) = (UInt8(0xF0 | scalar >> 18), tail(12), tail(6), tail(0))
    return 4
  }

  private static func short(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    default: return letter
    }
  }

  /// Four hexadecimal digits; -1 when they are not.
  private static func unit(_ text: UnsafePointer<UInt8>) -> Int {
    var value = 0
    for index in 0..<4 {
      let byte = text[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return -1
      }
      value = value << 4 | Int(digit)
    }
    return value
  }

  static func isHighSurrogate(_ unit: Int) -> Bool { unit >= 0xD800 && unit < 0xDC00 }
  static func isLowSurrogate(_ unit: Int) -> Bool { unit >= 0xDC00 && unit < 0xE000 }
}
