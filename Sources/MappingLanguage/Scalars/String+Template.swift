extension String {
  /// Does it hold `${`? Looked at byte by byte: it is asked of every text of a mapping.
  var holdsTemplate: Bool {
    var before: UInt8 = 0
    for byte in utf8 {
      if before == UInt8(ascii: "$"), byte == UInt8(ascii: "{") { return true }
      before = byte
    }
    return false
  }
}
