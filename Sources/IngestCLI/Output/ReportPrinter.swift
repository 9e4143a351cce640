import Diagnostics
package import Pipeline

/// Says how a run ended: a table of counts for people, an object for each record for machines, and the first of the
/// rejected records.
package struct ReportPrinter {
  private struct Column {
    let name: String
    let count: (RunSummary.Counts) -> Int
  }

  private let columns: [Column]
  /// Not of what was received: in the table only where there is something to say.
  private let swept: [Column]
  private let isStored: Bool

  /// - Parameter isStored: false for `map`, which has rows, but none that is new or old.
  package init(isStored: Bool) {
    self.isStored = isStored
    let stored = [
      Column(name: "inserted") { $0.inserted }, Column(name: "updated") { $0.updated },
      Column(name: "unchanged") { $0.unchanged },
    ]
    let mapped = [Column(name: "mapped") { $0.inserted + $0.updated + $0.unchanged }]
    swept = isStored ? [Column(name: "swept") { $0.swept }] : []
    columns =
      [Column(name: "received") { $0.received }] + (isStored ? stored : mapped) + [
        Column(name: "deleted") { $0.deleted }, Column(name: "skipped") { $0.skipped },
        Column(name: "filtered") { $0.filtered }, Column(name: "rejected") { $0.rejected },
      ]
  }

  package func print(_ summary: RunSummary, on console: Console) {
    switch console.messages.options.format {
    case .text: printTable(summary, on: console)
    case .json: printObjects(summary, on: console)
    }
    printRejections(summary, on: console)
  }

  func printTable(_ summary: RunSummary, on console: Console) {
    guard !summary.records.isEmpty else { return console.info("\(summary.source): nothing was received") }
    let columns = columns + swept.filter { column in summary.records.contains { column.count($0) > 0 } }
    let header = [summary.source] + columns.map(\.name)
    let rows = [header] + summary.records.map { counts in [counts.record] + columns.map { "\($0.count(counts))" } }
    let cells = rows.map { $0.map { VisibleText.escaped($0) } }
    let widths = header.indices.map { column in cells.map { $0[column].unicodeScalars.count }.max() ?? 0 }
    let lines = cells.map { row in
      zip(row, widths).enumerated().map { index, cell in padded(cell.0, to: cell.1, left: index > 0) }
        .joined(separator: "  ")
    }
    console.log(LogMessage(.info, "report", lines: lines))
  }

  private func padded(_ text: String, to width: Int, left: Bool) -> String {
    let spaces = String(repeating: " ", count: width - text.unicodeScalars.count)
    return left ? spaces + text : text + spaces
  }

  /// What became of rejected records, and what may be done.
  private func printAdvice(on console: Console) {
    let advice =
      "they are kept in _ingest_rejects: mend the mapping (type, format, transform) and take them in by 'ingest replay "
      + "--rejects', or mend the data; --max-rejects allows some"
    console.log(LogMessage(.info, advice, lines: ["  " + advice]))
  }

  private func printObjects(_ summary: RunSummary, on console: Console) {
    for counts in summary.records {
      let numbers = (columns + swept).map { (name: $0.name, count: $0.count(counts)) }
      let words = numbers.filter { $0.name == "received" || $0.count > 0 }.map { "\($0.count) \($0.name)" }
      console.log(
        LogMessage(
          .info, "\(counts.record): " + words.joined(separator: ", "),
          fields: [("source_name", .text(summary.source)), ("record", .text(counts.record))]
            + numbers.map { ($0.name, .integer($0.count)) }))
    }
  }

  private func printRejections(_ summary: RunSummary, on console: Console) {
    let count = summary.rejected
    guard count > 0 else { return }
    console.log(
      LogMessage(
        .warning, count == 1 ? "1 record was rejected" : "\(count) records were rejected",
        fields: [("source_name", .text(summary.source)), ("rejected", .integer(count))]))
    for rejection in summary.preview {
      let field = rejection.field.map { "\(rejection.record).\($0)" } ?? rejection.record
      let place = [rejection.source, rejection.pointer, field, rejection.reason].filter { !$0.isEmpty }
      let message = place.joined(separator: ": ")
      console.log(
        LogMessage(
          .warning, message,
          fields: [
            ("source", .text(rejection.source)), ("pointer", .text(rejection.pointer)),
            ("record", .text(rejection.record)), ("field", rejection.field.map { .text($0) } ?? .null),
            ("reason", .text(rejection.reason)),
          ], lines: ["  " + message]))
    }
    defer { if isStored { printAdvice(on: console) } }
    if count > summary.preview.count {
      let more = "and \(count - summary.preview.count) more" + (isStored ? ", see _ingest_rejects" : "")
      console.log(LogMessage(.warning, more, lines: ["  … " + more]))
    }
  }
}
