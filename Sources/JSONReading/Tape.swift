/// The nodes of one complete value; its memory is used again for the next.
final class Tape {
  private(set) var nodes: UnsafeMutablePointer<JSONNode>
  /// Number of nodes of the value that was built last.
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 256) {
    self.capacity = capacity
    nodes = .allocate(capacity: capacity)
  }

  deinit { nodes.deallocate() }

  /// Room for as many nodes as that; what was built before is lost. Memory that is not used is never touched.
  private func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    nodes.deallocate()
    capacity = needed + needed / 2
    nodes = .allocate(capacity: capacity)
  }

  /// Builds the nodes of the value at `token` and moves `token` behind it; false when the value is not whole in the
  /// text. `backslash` is the place of the next backslash (`ScannedText.backslash`), `levels` how deep it may nest.
  // lint: long: the hot path's state machine, whose state lives in registers
  func build(
    _ text: ScannedText, at token: inout Int, backslash: inout Int, levels: Int, limit: Int
  ) throws(TextFault) -> Bool {
    reserve(text.count - token + 2)
    let nodes = self.nodes
    var (i, written, left, nextBackslash) = (token, 0, levels, backslash)
    // The innermost open container; its `next` is the one around it until it is closed.
    var open: Int32 = -1
    var closer: UInt8 = 0
    value: while true {
      let at = text.start(i)
      let first = text.bytes[at]
      if first == Byte.quote {
        let end = text.closingQuote(before: i &+ 1)
        let escapes = nextBackslash < end
        if escapes { nextBackslash = try text.pass(escapesFrom: at &+ 1, to: end) }
        nodes[written] = JSONNode(from: at, to: end &+ 1, next: written &+ 1, .string, escapes)
      } else if first | 0x20 == Byte.openBrace {
        if left == 0 { throw text.tooDeep(i, limit: limit) }
        left &-= 1
        closer = first &+ 2
        nodes[written] = JSONNode(
          from: at, to: at, next: Int(open), first == Byte.openBrace ? .object : .array, false)
        open = Int32(truncatingIfNeeded: written)
        if text.byte(i &+ 1) != closer {
          i &+= 1
          written &+= 1
          if closer == Byte.closeBracket { continue value }
          if try !Tape.name(text, &i, &written, &nextBackslash, nodes, .nameOrEnd) { return false }
          continue value
        }
      } else {
        var (kind, isSpecial) = (JSONKind.null, false)
        let end = try text.scalarEnd(i, &kind, &isSpecial)
        if end < 0 { return false }
        nodes[written] = JSONNode(from: at, to: end, next: written &+ 1, kind, isSpecial)
      }
      written &+= 1
      i &+= 1
      while true {
        if open < 0 { break value }
        let next = text.byte(i)
        if next == Byte.comma {
          i &+= 1
          if text.isLenient && text.dropsComma(before: i, closer) { continue }
          if closer == Byte.closeBracket { continue value }
          if try !Tape.name(text, &i, &written, &nextBackslash, nodes, .name) { return false }
          continue value
        }
        guard next == closer else {
          if text.isLenient && next == Byte.space && i < text.count {
            i &+= 1  // a comma that was dropped when the value was read before
            continue
          }
          try text.stop(at: i, expecting: closer == Byte.closeBrace ? .commaOrBrace : .commaOrBracket)
          return false
        }
        let container = nodes + Int(open)
        open = Int32(bitPattern: container.pointee.next)
        container.pointee.end = UInt32(truncatingIfNeeded: text.start(i) &+ 1)
        container.pointee.next = UInt32(truncatingIfNeeded: written)
        i &+= 1
        left &+= 1
        if open >= 0 { closer = nodes[Int(open)].kind == .object ? Byte.closeBrace : Byte.closeBracket }
      }
    }
    (token, count, backslash) = (i, written, nextBackslash)
    return true
  }

  /// Writes the node of a member's name and goes behind its colon; false when more of the text is needed.
  @inline(__always) private static func name(
    _ text: ScannedText, _ i: inout Int, _ written: inout Int, _ backslash: inout Int,
    _ nodes: UnsafeMutablePointer<JSONNode>, _ expected: Expectation
  ) throws(TextFault) -> Bool {
    let at = text.start(i)
    guard text.bytes[at] == Byte.quote else {
      try text.stop(at: i, expecting: expected)
      return false
    }
    guard text.byte(i &+ 1) == Byte.colon else {
      try text.stop(at: i &+ 1, expecting: .colon)
      return false
    }
    let end = text.closingQuote(before: i &+ 1)
    let escapes = backslash < end
    if escapes { backslash = try text.pass(escapesFrom: at &+ 1, to: end) }
    nodes[written] = JSONNode(from: at, to: end &+ 1, next: written &+ 1, .string, escapes)
    written &+= 1
    i &+= 2
    return true
  }

  /// The nodes in memory of their own, just as large as they are.
  func copy() -> UnsafePointer<JSONNode> {
    let copy = UnsafeMutablePointer<JSONNode>.allocate(capacity: count)
    copy.initialize(from: nodes, count: count)
    return UnsafePointer(copy)
  }
}

extension JSONNode {
  @inline(__always) init(from start: Int, to end: Int, next: Int, _ kind: JSONKind, _ isSpecial: Bool) {
    self.init(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
      next: UInt32(truncatingIfNeeded: next), kind: kind, isSpecial: isSpecial)
  }
}

extension ScannedText {
  /// In lenient text, turns the comma before a closing bracket into a space.
  @inline(never) func dropsComma(before token: Int, _ closer: UInt8) -> Bool {
    guard byte(token) == closer else { return false }
    bytes[start(token - 1)] = Byte.space
    return true
  }
}
