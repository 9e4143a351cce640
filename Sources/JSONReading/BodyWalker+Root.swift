extension BodyWalker {
  /// The short way through a body that is one object and one record, as nearly all lines of NDJSON are: its nodes are
  /// built, and nothing is asked of states. False where the long way, from `begin` on, tells what is to be done.
  ///
  /// Only where the states are `isRootOnly`, and for walks that note no names.
  mutating func takeRoot(_ text: ScannedText, offset: Int) throws(TextFault) -> Bool {
    guard text.count > 1, text.byte(0) == Byte.openBrace, text.byte(1) != Byte.closeBrace else { return false }
    goOn(text, offset: offset)
    var behind = 0
    guard try tape.build(text, at: &behind, backslash: &backslash, levels: limits.depth, limit: limits.depth),
      behind == text.count, text.isFinal
    else { return false }
    let node = tape.nodes[0]
    try checkSize(Int(node.end - node.start))
    if !isAtRootRecord { setRoot() }
    position.offset = offset + text.start(0)
    return true
  }

  /// What the long way leaves behind such a body.
  private mutating func setRoot() {
    position.steps.removeAll(keepingCapacity: true)
    (position.place, position.ordinal, position.number, position.captures) = (0, 0, 0, [])
    (summary.places[0], summary.nullCounts[0], summary.counts[0]) = (.found, 0, 1)
    (summary.isEmpty, summary.rootKind) = (false, .object)
    isAtRootRecord = true
  }
}
