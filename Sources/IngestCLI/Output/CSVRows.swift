import Records

/// The rows of one table as CSV, by RFC 4180: a line of names, then a line for each row, each ended by CR LF.
///
/// Null is an empty field, empty text is `""`. Bytes are base64. Everything is UTF-8, without a byte order mark.
final class CSVRows: RowFormat {
  private static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

  func begin(_ shapes: [TableShape], printed: [Int], to output: OutputBuffer) {
    precondition(printed.count == 1, "CSV holds one table")
    for (index, column) in shapes[printed[0]].columns.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      Array(column.name.utf8).withUnsafeBytes { append(text: $0, to: output) }
    }
    output.append(Self.lineEnd)
  }

  func write(_ row: ArraySlice<Cell>, of table: Int, to output: OutputBuffer) {
    var isFirst = true
    for cell in row {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      switch cell.kind {
      case .missing, .null: break
      case .integer: output.append(decimal: cell.integerValue)
      case .real: output.append(cell.realValue.description)
      case .text: append(text: cell.rawBytes, to: output)
      case .bytes where cell.length == 0: output.append("\"\"")
      case .bytes: JSONBytes.append(base64Digits: cell.rawBytes, to: output)
      }
    }
    output.append(Self.lineEnd)
  }

  private func append(text: UnsafeRawBufferPointer, to output: OutputBuffer) {
    var (needsQuotes, hasQuotes) = (text.isEmpty, false)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): (needsQuotes, hasQuotes) = (true, true)
      case UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): needsQuotes = true
      default: continue
      }
    }
    guard needsQuotes else { return output.append(text) }
    output.append(UInt8(ascii: "\""))
    if hasQuotes {
      for byte in text {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
    } else {
      output.append(text)
    }
    output.append(UInt8(ascii: "\""))
  }
}
