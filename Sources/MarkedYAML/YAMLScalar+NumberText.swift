extension YAMLScalar {
  /// The number as JSON writes it, with the same value: `+5` is `5`, `-.5` is `-0.5`, `5.` is `5.0`; nil for no number.
  package var numberText: String? {
    guard core == .integer || core == .real else { return nil }
    var rest = text.utf8[...]
    var number: [UInt8] = []
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      if sign == UInt8(ascii: "-") { number.append(sign) }
      rest.removeFirst()
    }
    if rest.first == UInt8(ascii: ".") { number.append(UInt8(ascii: "0")) }
    for byte in rest {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      if number.last == UInt8(ascii: "."), !isDigit { number.append(UInt8(ascii: "0")) }
      number.append(byte)
    }
    if number.last == UInt8(ascii: ".") { number.append(UInt8(ascii: "0")) }
    return String(decoding: number, as: UTF8.self)
  }
}
