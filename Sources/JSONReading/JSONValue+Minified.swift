extension JSONValue {
  /// Length of the value without white space between its tokens.
  package var minifiedLength: Int {
    var length = 0
    writeTokens { length += $0.count }
    return length
  }

  /// Appends the value's source text without white space between its tokens, else verbatim.
  package func appendMinified(to text: inout [UInt8]) {
    text.reserveCapacity(text.count + rawText.count)
    writeTokens { text.append(contentsOf: $0) }
  }

  /// Writes what `appendMinified` appends to memory with room for `rawText.count` bytes; returns the length.
  package func writeMinified(to target: UnsafeMutableRawPointer) -> Int {
    var length = 0
    writeTokens { token in
      UnsafeMutableRawBufferPointer(start: target + length, count: token.count).copyMemory(from: token)
      length += token.count
    }
    return length
  }

  /// Hands out the value's text in pieces between which white space stood: a piece ends where a node or a bracket
  /// ends.
  private func writeTokens(_ write: (UnsafeRawBufferPointer) -> Void) {
    let text = rawText
    if kind != .array && kind != .object { return write(text) }
    // Outside of strings white space may be dropped; strings are the nodes of that kind, in order.
    var at = Int(node.start)
    for index in (self.index + 1)..<next {
      let child = self.at(index)
      guard child.kind == .string else { continue }
      writeWithoutWhiteSpace(from: at, to: Int(child.node.start), write)
      write(child.rawText)
      at = Int(child.node.end)
    }
    writeWithoutWhiteSpace(from: at, to: Int(node.end), write)
  }

  private func writeWithoutWhiteSpace(from start: Int, to end: Int, _ write: (UnsafeRawBufferPointer) -> Void) {
    var (from, at) = (start, start)
    while at < end {
      if Byte.isWhiteSpace(bytes[at]) {
        if from < at { write(UnsafeRawBufferPointer(start: bytes + from, count: at - from)) }
        from = at + 1
      }
      at += 1
    }
    if from < end { write(UnsafeRawBufferPointer(start: bytes + from, count: end - from)) }
  }
}
