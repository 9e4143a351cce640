import Diagnostics
import Records

/// Rows for people: tables with aligned columns.
///
/// Up to `blockRows` rows are held to know how wide columns are; longer tables are printed in blocks. A value that is
/// wider than `cellWidth` is cut, with `…` at its end, and counted.
final class TableRows: RowFormat {
  static let blockRows = 1000
  static let cellWidth = 60

  private struct Table {
    var shape: TableShape
    var rows: [[String]] = []
    /// Rows that were printed.
    var printed = 0
  }

  private var tables: [Int: Table] = [:]
  private var order: [Int] = []
  private var held = 0
  private var cut = 0
  private var hasPrinted = false

  func begin(_ shapes: [TableShape], printed: [Int], to output: OutputBuffer) {
    order = printed
    for index in printed { tables[index] = Table(shape: shapes[index]) }
  }

  func write(_ row: ArraySlice<Cell>, of table: Int, to output: OutputBuffer) {
    tables[table]?.rows.append(row.map { text(of: $0) })
    held += 1
    if held == Self.blockRows { printBlocks(to: output, isLast: false) }
  }

  func finish(_ output: OutputBuffer) { printBlocks(to: output, isLast: true) }

  var note: String? {
    guard cut > 0 else { return nil }
    let what = cut == 1 ? "1 value is" : "\(cut) values are"
    return "\(what) cut to \(Self.cellWidth) columns; --format ndjson and csv print them whole"
  }

  private func printBlocks(to output: OutputBuffer, isLast: Bool) {
    for index in order {
      guard var table = tables[index] else { continue }
      if !table.rows.isEmpty || isLast && table.printed == 0 { print(table, isWhole: isLast, to: output) }
      table.printed += table.rows.count
      table.rows.removeAll(keepingCapacity: true)
      tables[index] = table
    }
    held = 0
  }

  private func print(_ table: Table, isWhole: Bool, to output: OutputBuffer) {
    if hasPrinted { output.append(UInt8(ascii: "\n")) }
    hasPrinted = true
    let count = table.rows.count
    let title =
      table.printed > 0 || !isWhole
      ? "rows \(table.printed + 1) to \(table.printed + count)" : count == 1 ? "1 row" : "\(count) rows"
    output.append("\(VisibleText.escaped(table.shape.name)): \(title)\n")
    if count == 0 { return }
    let names = table.shape.columns.map { VisibleText.escaped($0.name) }
    var widths = names.map(DisplayWidth.of)
    for row in table.rows {
      for (column, text) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.of(text)) }
    }
    let isNumeric = table.shape.columns.map { [.integer, .real, .decimal, .boolean].contains($0.type) }
    append(names, widths, isNumeric, to: output)
    append(widths.map { String(repeating: "-", count: $0) }, widths, isNumeric, to: output)
    for row in table.rows { append(row, widths, isNumeric, to: output) }
  }

  private func append(_ texts: [String], _ widths: [Int], _ isNumeric: [Bool], to output: OutputBuffer) {
    for (column, text) in texts.enumerated() {
      output.append("  ")
      let gap = String(repeating: " ", count: widths[column] - DisplayWidth.of(text))
      let isLast = column == texts.count - 1
      output.append(isNumeric[column] ? gap + text : isLast ? text : text + gap)
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func text(of cell: Cell) -> String {
    switch cell.kind {
    case .missing, .null: "NULL"
    case .integer: String(cell.integerValue)
    case .real: cell.realValue.description
    case .text: clipped(cell.rawBytes)
    case .bytes: cell.length == 1 ? "(1 byte)" : "(\(cell.length) bytes)"
    }
  }

  /// Looks at the beginning of the text only, however long it is.
  private func clipped(_ bytes: UnsafeRawBufferPointer) -> String {
    let bound = 1024
    var end = min(bound, bytes.count)
    while end < bytes.count, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let beginning = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    let text = VisibleText.escaped(beginning)
    if end == bytes.count, DisplayWidth.of(text) <= Self.cellWidth { return text }
    cut += 1
    var (kept, width) = ("", 0)
    for character in text {
      let next = DisplayWidth.of(String(character))
      if width + next > Self.cellWidth - 1 { break }
      kept.append(character)
      width += next
    }
    return kept + "…"
  }
}
