/// Checks the grammar of a value that nobody reads, of any size: it goes on where the window before has ended.
struct ValueSkipper {
  private enum Next {
    case value, firstElement, name, firstMember, separator
  }

  private var next = Next.value
  /// Open containers of the value.
  private var depth = 0
  /// The kinds of the innermost 64 of them, one bit each, 1 an object; those further out wait in `outer`.
  private var kinds: UInt64 = 0
  private var outer: [UInt64] = []

  /// Makes ready for another value.
  mutating func reset() {
    next = .value
    depth = 0
    outer.removeAll(keepingCapacity: true)
  }

  /// Moves `token` behind the value; false when more of the text is needed. `levels` is how deep it may nest.
  // lint: long: a state machine whose state lives in registers
  mutating func skip(
    _ text: ScannedText, at token: inout Int, backslash: inout Int, levels: Int, limit: Int
  ) throws(TextFault) -> Bool {
    var (i, next, depth, kinds) = (token, self.next, self.depth, self.kinds)
    defer { (token, self.next, self.depth, self.kinds) = (i, next, depth, kinds) }
    while true {
      switch next {
      case .firstElement where text.byte(i) == Byte.closeBracket, .firstMember where text.byte(i) == Byte.closeBrace:
        i &+= 1
        depth &-= 1
        kinds = leave(depth, kinds)
        if depth == 0 { return true }
        next = .separator
      case .value, .firstElement:
        let first = text.byte(i)
        if first == Byte.quote {
          let end = text.closingQuote(before: i &+ 1)
          if backslash < end { backslash = try text.pass(escapesFrom: text.start(i) &+ 1, to: end) }
        } else if first | 0x20 == Byte.openBrace {
          if depth == levels { throw text.tooDeep(i, limit: limit) }
          kinds = enter(depth, kinds, isObject: first == Byte.openBrace)
          depth &+= 1
          i &+= 1
          next = first == Byte.openBrace ? .firstMember : .firstElement
          continue
        } else {
          // Behind a comma of an array, also where that comma stood in the window before.
          if first == Byte.closeBracket, next == .value, depth > 0, kinds & 1 == 0 { throw text.trailingComma(i) }
          var (kind, isSpecial) = (JSONKind.null, false)
          if try text.scalarEnd(i, &kind, &isSpecial) < 0 { return false }
        }
        i &+= 1
        if depth == 0 { return true }
        next = .separator
      case .name, .firstMember:
        guard text.byte(i) == Byte.quote else {
          try text.stop(at: i, expecting: next == .name ? .name : .nameOrEnd)
          return false
        }
        guard text.byte(i &+ 1) == Byte.colon else {
          try text.stop(at: i &+ 1, expecting: .colon)
          return false
        }
        let end = text.closingQuote(before: i &+ 1)
        if backslash < end { backslash = try text.pass(escapesFrom: text.start(i) &+ 1, to: end) }
        i &+= 2
        next = .value
      case .separator:
        let byte = text.byte(i)
        let isObject = kinds & 1 == 1
        if byte == Byte.comma {
          i &+= 1
          // In lenient text, the closing bracket may come next.
          next = text.isLenient ? (isObject ? .firstMember : .firstElement) : isObject ? .name : .value
          continue
        }
        if byte == (isObject ? Byte.closeBrace : Byte.closeBracket) {
          i &+= 1
          depth &-= 1
          kinds = leave(depth, kinds)
          if depth == 0 { return true }
          continue
        }
        if text.isLenient && i < text.count && byte == Byte.space {
          i &+= 1  // a comma that was dropped when the value was read before
          continue
        }
        try text.stop(at: i, expecting: isObject ? .commaOrBrace : .commaOrBracket)
        return false
      }
    }
  }

  @inline(__always) private mutating func enter(_ depth: Int, _ kinds: UInt64, isObject: Bool) -> UInt64 {
    if depth & 63 == 0 && depth > 0 { outer.append(kinds) }
    return kinds << 1 | (isObject ? 1 : 0)
  }

  /// The kinds after a container was closed and `depth` are left open.
  @inline(__always) private mutating func leave(_ depth: Int, _ kinds: UInt64) -> UInt64 {
    if depth & 63 == 0 && depth > 0, let kinds = outer.popLast() { return kinds }
    return kinds >> 1
  }
}
