/// Where text that stage 1 refuses goes wrong, found byte by byte.
struct LocatedFault {
  var fault: TextFault
  /// Up to here the text is whole: the bytes are UTF-8 and the strings closed. What is wrong begins behind it.
  var cleanEnd: Int
  /// The text ends in a string.
  var isOpenString = false

  /// The first control character in a string, byte that is no UTF-8, or quote that opens the last, unclosed string.
  static func first(in bytes: UnsafePointer<UInt8>, count: Int) -> LocatedFault {
    var (at, quote) = (0, -1)
    while at < count {
      let byte = bytes[at]
      if byte >= 0x80 {
        let length = UTF8Length.of(bytes + at, count - at)
        guard length > 0 else {
          let fault = TextFault(.invalidText, "bytes that are not UTF-8", at: at)
          return LocatedFault(fault: fault, cleanEnd: quote >= 0 ? quote : at)
        }
        at += length
        continue
      }
      if quote >= 0 && byte < 0x20 {
        let what = byte == Byte.newline ? "a line feed" : "a control character"
        let fault = TextFault(.syntax, "\(what) in a text that is not closed before it", at: at)
        return LocatedFault(fault: fault, cleanEnd: quote)
      }
      if byte == Byte.backslash {
        // What follows is looked at only when it may be a control character or no ASCII.
        at += at + 1 < count && bytes[at + 1] >= 0x20 && bytes[at + 1] < 0x80 ? 2 : 1
        continue
      }
      if byte == Byte.quote { quote = quote < 0 ? at : -1 }
      at += 1
    }
    let fault = TextFault(
      .syntax,
      "the body ends within a text that begins here: it may have been cut", at: max(quote, 0))
    return LocatedFault(fault: fault, cleanEnd: max(quote, 0), isOpenString: true)
  }
}

/// Lengths of UTF-8's sequences.
enum UTF8Length {
  /// Length of the character at `bytes`; 0 when it is none.
  static func of(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    func isTail(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index < count && range.contains(bytes[index])
    }
    switch bytes[0] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return isTail(1) ? 2 : 0
    case 0xE0: return isTail(1, 0xA0...0xBF) && isTail(2) ? 3 : 0
    case 0xED: return isTail(1, 0x80...0x9F) && isTail(2) ? 3 : 0
    case 0xE1...0xEF: return isTail(1) && isTail(2) ? 3 : 0
    case 0xF0: return isTail(1, 0x90...0xBF) && isTail(2) && isTail(3) ? 4 : 0
    case 0xF1...0xF3: return isTail(1) && isTail(2) && isTail(3) ? 4 : 0
    case 0xF4: return isTail(1, 0x80...0x8F) && isTail(2) && isTail(3) ? 4 : 0
    default: return 0
    }
  }
}
