/// What a token has to be, for the message when it is not.
enum Expectation: String {
  case value = "a value"
  case valueOrEnd = "a value or ']'"
  case name = "a member's name in double quotes"
  case nameOrEnd = "a member's name in double quotes or '}'"
  case colon = "':'"
  case commaOrBrace = "',' or '}'"
  case commaOrBracket = "',' or ']'"
  case end = "the end of the text"
}

extension ScannedText {
  /// Where the token begins; `end` behind the last.
  @inline(__always) func start(_ token: Int) -> Int { Int(truncatingIfNeeded: positions[token]) }

  /// The token's first byte; behind the last, one that fits nowhere.
  @inline(__always) func byte(_ token: Int) -> UInt8 { bytes[start(token)] }

  /// The closing quote of the string before a token: only white space lies between them.
  @inline(__always) func closingQuote(before token: Int) -> Int {
    var at = start(token) &- 1
    while bytes[at] != Byte.quote { at &-= 1 }
    return at
  }

  /// Where the number or literal at a token ends; -1 when more of the text is needed to tell.
  @inline(__always) func scalarEnd(
    _ token: Int, _ kind: inout JSONKind, _ isSpecial: inout Bool
  ) throws(TextFault) -> Int {
    let end = Scalar.end(UnsafePointer(bytes), start(token), &kind, &isSpecial)
    if end >= 0 && Byte.endsScalar(bytes[end]) { return end }
    return try cutScalarEnd(token, end)
  }

  @inline(never) private func cutScalarEnd(_ token: Int, _ scalarEnd: Int) throws(TextFault) -> Int {
    if token >= count {
      try stop(at: token, expecting: .value)
      return -1
    }
    if !isFinal && token + 1 == count { return -1 }
    if scalarEnd == end { return end }
    if scalarEnd >= 0 && beginsComment(scalarEnd) { throw TextFault(.syntax, Self.comment, at: scalarEnd) }
    throw TextFault(.syntax, scalarMessage(token), at: start(token))
  }

  private static let comment = "a comment, which JSON does not have ('lenient: true' reads over comments)"

  private func beginsComment(_ at: Int) -> Bool {
    guard at + 1 < end, bytes[at] == Byte.slash else { return false }
    return bytes[at + 1] == Byte.slash || bytes[at + 1] == Byte.star
  }

  private func scalarMessage(_ token: Int) -> String {
    let at = start(token)
    switch bytes[at] {
    case Byte.closeBracket where token > 0 && byte(token - 1) == Byte.comma: return Self.trailingComma(before: "]")
    case Byte.comma, Byte.closeBrace, Byte.closeBracket, Byte.colon: return "a value is missing here"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "a number that is not written as JSON has it"
    case UInt8(ascii: "'"): return "a text in single quotes, which JSON does not have"
    case Byte.slash: return Self.comment
    case UInt8(ascii: "<"): return "'<' begins HTML or XML, and no JSON value"
    case 0: return "a NUL character, which JSON does not have"
    default: return "what begins here is no JSON value"
    }
  }

  /// The token is not what is expected: returns when more of the text is needed to tell, else throws.
  @inline(never) func stop(at token: Int, expecting expected: Expectation) throws(TextFault) {
    if token >= count {
      if !isFinal { return }
      throw TextFault(.syntax, "the body ends where \(expected.rawValue) is expected: it may have been cut", at: end)
    }
    let at = start(token)
    if beginsComment(at) { throw TextFault(.syntax, Self.comment, at: at) }
    if expected == .end {
      throw TextFault(.syntax, "something follows the value that the text consists of", at: at)
    }
    if expected == .name && bytes[at] == Byte.closeBrace {
      throw TextFault(.syntax, Self.trailingComma(before: "}"), at: at)
    }
    throw TextFault(.syntax, "\(expected.rawValue) is expected here", at: at)
  }

  /// The closing bracket at a token follows a comma.
  @inline(never) func trailingComma(_ token: Int) -> TextFault {
    TextFault(.syntax, Self.trailingComma(before: "]"), at: start(token))
  }

  private static func trailingComma(before bracket: String) -> String {
    "a comma before '\(bracket)', which JSON does not have ('lenient: true' reads over it)"
  }

  func tooDeep(_ token: Int, limit: Int) -> TextFault {
    TextFault(
      .limitDepth,
      "the depth of nesting exceeds \(limit) levels (limits.depth of the source, which may be "
        + "raised)", at: start(token))
  }
}
