/// Turns comments into white space, so that every byte outside of them keeps its offset and every line its number.
struct CommentFilter {
  private enum State {
    case plain, text, escape
    /// Behind a slash that may begin a comment, and is not written yet.
    case slash
    case lineComment, blockComment
    /// In a block comment, behind a star.
    case star
  }

  private var state = State.plain

  /// Is a block comment open?
  var isInComment: Bool { state == .blockComment || state == .star }

  /// Appends the filtered bytes; a slash at the end waits for what follows.
  mutating func filter(_ bytes: [UInt8], into text: inout [UInt8]) {
    for byte in bytes { take(byte, &text) }
  }

  /// Writes what has waited, at the end of the text.
  mutating func finish(into text: inout [UInt8]) {
    if state == .slash { text.append(Byte.slash) }
  }

  private mutating func take(_ byte: UInt8, _ text: inout [UInt8]) {
    switch state {
    case .plain:
      if byte == Byte.slash {
        state = .slash
        return
      }
      if byte == Byte.quote { state = .text }
    case .text:
      if byte == Byte.quote { state = .plain }
      if byte == Byte.backslash { state = .escape }
    case .escape: state = .text
    case .slash:
      guard byte == Byte.slash || byte == Byte.star else {
        text.append(Byte.slash)
        state = .plain
        return take(byte, &text)
      }
      state = byte == Byte.slash ? .lineComment : .blockComment
      text.append(Byte.space)
      return text.append(Byte.space)
    case .lineComment:
      if byte == Byte.newline || byte == 0x0D { state = .plain }
      return text.append(blank(byte))
    case .blockComment:
      if byte == Byte.star { state = .star }
      return text.append(blank(byte))
    case .star:
      state = byte == Byte.slash ? .plain : byte == Byte.star ? .star : .blockComment
      return text.append(blank(byte))
    }
    text.append(byte)
  }

  private func blank(_ byte: UInt8) -> UInt8 { byte == Byte.newline || byte == 0x0D ? byte : Byte.space }
}
