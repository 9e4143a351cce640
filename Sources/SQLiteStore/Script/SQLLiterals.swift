import Records
import Store

/// Values as SQL writes them, so that the same value of the same kind is read back.
struct SQLLiterals {
  private let reading: Statement

  init(_ connection: Connection) throws(StoreError) { reading = try connection.prepare("SELECT CAST(?1 AS REAL)") }

  func append(_ row: Statement, _ column: Int, to text: inout [UInt8]) throws(StoreError) {
    switch row.kind(column) {
    case .missing, .null: text += Array("NULL".utf8)
    case .integer: text += Array(String(row.integer(column)).utf8)
    case .text: append(text: row.bytes(column), to: &text)
    case .bytes: append(hexadecimal: row.bytes(column), to: &text)
    case .real: text += Array(try literal(row.real(column)).utf8)
    }
  }

  /// The shortest decimal, where SQLite reads that back as the same number: of some it makes a neighbour.
  private func literal(_ number: Double) throws(StoreError) -> String {
    precondition(number.isFinite, "a row holds finite numbers only")
    try reading.bind("\(number)", at: 0)
    guard try reading.step() else { preconditionFailure("a query without a table gives one row") }
    defer { reading.reset() }
    return reading.real(0).bitPattern == number.bitPattern ? "\(number)" : Self.product(number)
  }

  /// The number as a whole one, multiplied or divided by powers of two: each of them, and each result, is exact.
  private static func product(_ number: Double) -> String {
    var (whole, power) = (number.significand, Int(number.exponent))
    // Ends: a significand has 52 places behind its point at most.
    while whole != whole.rounded(.towardZero) { (whole, power) = (whole * 2, power - 1) }
    if number < 0 { whole = -whole }
    var text = "(\(Int64(whole)).0"
    while power != 0 {
      let step = min(abs(power), 62)
      text += power > 0 ? " * " : " / "
      text += "\(Int64(1) << step).0"
      power += power > 0 ? -step : step
    }
    return text + ")"
  }

  /// What a terminal would obey, and what the reader of a script would drop, is written in hexadecimal.
  private func append(text value: [UInt8], to text: inout [UInt8]) {
    if Self.hasControls(value) {
      text += Array("CAST(".utf8)
      append(hexadecimal: value, to: &text)
      text += Array(" AS TEXT)".utf8)
      return
    }
    text.append(UInt8(ascii: "'"))
    for byte in value {
      if byte == UInt8(ascii: "'") { text.append(byte) }
      text.append(byte)
    }
    text.append(UInt8(ascii: "'"))
  }

  private static func hasControls(_ value: [UInt8]) -> Bool {
    var before: UInt8 = 0
    for byte in value {
      let isKept = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
      if byte < 0x20 && !isKept || byte == 0x7F || before == 0xC2 && byte < 0xA0 { return true }
      before = byte
    }
    return false
  }

  private func append(hexadecimal bytes: [UInt8], to text: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    text += [UInt8(ascii: "X"), UInt8(ascii: "'")]
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    text.append(UInt8(ascii: "'"))
  }
}
