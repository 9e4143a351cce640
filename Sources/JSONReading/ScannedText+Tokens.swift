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
    throw TextFault(.syntax, scalarMessage(start(token)), at: start(token))
  }

  private func scalarMessage(_ at: Int) -> String {
    switch bytes[at] {
    case Byte.comma, Byte.closeBrace, Byte.closeBracket, Byte.colon: return "a value is missing here"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "a number that is not written as JSON has it"
    case UInt8(ascii: "'"): return "a text in single quotes, which JSON does not have"
    case Byte.slash: return "a comment, which JSON does not have ('lenient: true' reads over comments)"
    case 0: return "a NUL character, which JSON does not have"
    default: return "what begins here is no JSON value"
    }
  }

  /// The token is not what is expected: returns when more of the text is needed to tell, else throws.
  @inline(never) func stop(at token: Int, expecting expected: Expectation) throws(TextFault) {
    if token >= count {
      if !isFinal { return }
      throw TextFault(.syntax, "the text ends where \(expected.rawValue) is expected", at: end)
    }
    let at = start(token)
    if expected == .end {
      throw TextFault(.syntax, "something follows the value that the text consists of", at: at)
    }
    if expected == .name && bytes[at] == Byte.closeBrace {
      throw TextFault(.syntax, "a comma before '}', which JSON does not have ('lenient: true' reads over it)", at: at)
    }
    throw TextFault(.syntax, "\(expected.rawValue) is expected here", at: at)
  }

  func tooDeep(_ token: Int, limit: Int) -> TextFault {
    TextFault(.limitDepth, "the depth of nesting exceeds \(limit) levels (limits.depth)", at: start(token))
  }
}
