/// What the type `url` takes: a scheme, a colon, and something behind it.
///
/// Behind `//`, and always for `http`, `https`, `ws`, `wss` and `ftp`, a host must follow (`file:///x` needs none). No
/// white space and no control character may occur; other characters that RFC 3986 would have encoded are let through,
/// as APIs send them.
enum AbsoluteURL {
  static func accepts(_ text: Bytes) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text.part(0, colon)) else { return false }
    for at in 0..<text.count {
      let byte = text[at]
      if byte < 0x21 || byte == 0x7F { return false }
      if byte >= 0x80, text.whiteSpace(at: at) > 0 || isC1Control(text, at) { return false }
    }
    let scheme = text.part(0, colon)
    let rest = text.part(colon + 1, text.count)
    guard rest.count >= 2, rest[0] == UInt8(ascii: "/"), rest[1] == UInt8(ascii: "/") else {
      let needsHost: [StaticString] = ["http", "https", "ws", "wss", "ftp"]
      return !rest.isEmpty && !needsHost.contains(where: scheme.equalsIgnoringCase)
    }
    if scheme.equalsIgnoringCase("file") { return rest.count > 2 }
    guard rest.count > 2 else { return false }
    return rest[2] != UInt8(ascii: "/") && rest[2] != UInt8(ascii: "?") && rest[2] != UInt8(ascii: "#")
  }

  /// ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
  private static func isScheme(_ text: Bytes) -> Bool {
    guard let first = text.first, first.isASCIILetter else { return false }
    return text.allSatisfy { byte in
      byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }
  }

  /// U+0080–009F
  private static func isC1Control(_ text: Bytes, _ at: Int) -> Bool {
    text[at] == 0xC2 && at + 1 < text.count && text[at + 1] < 0xA0
  }
}
