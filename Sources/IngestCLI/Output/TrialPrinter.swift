import Diagnostics
import Pipeline
import Store

/// Prints what a trial has found: the answer, its members, what each descriptor makes of it, the first rows.
struct TrialPrinter {
  let report: TrialReport

  func print(on console: Console) {
    console.result(report.request)
    if let status = report.status {
      let size = report.size == 1 ? "1 byte" : "\(report.size) bytes"
      console.result("\(status), \(report.contentType ?? "no content type"), \(size)")
    }
    printMembers(on: console)
    if let passed = report.passed { section(passed, on: console) }
    printPlaces(on: console)
    for rows in report.rows { print(rows, on: console) }
    printRejections(on: console)
    for warning in report.warnings { console.warning(warning) }
    if !report.rows.isEmpty || report.summary.received > 0 {
      var summary = report.summary
      summary.records.removeAll { $0.received == 0 }
      ReportPrinter(isStored: false).printTable(summary, on: console)
    }
  }

  private func section(_ title: String, on console: Console) {
    console.output.append("\n")
    console.result(title)
  }

  private func printMembers(on console: Console) {
    guard let (lines, more) = report.members, !lines.isEmpty else { return }
    section("members:", on: console)
    let width = lines.map(\.path.unicodeScalars.count).filter { $0 <= 60 }.max() ?? 0
    for line in lines {
      let gap = String(repeating: " ", count: max(0, width - line.path.unicodeScalars.count))
      console.result("  \(line.path)\(gap)  \(line.kinds)")
    }
    if more > 0 { console.result("  … and \(more) more") }
  }

  private func printPlaces(on console: Console) {
    guard !report.places.isEmpty else { return }
    section("descriptors:", on: console)
    for place in report.places {
      console.result("  \(place.descriptor): \(place.outcome)")
      if !place.unmapped.isEmpty { console.result("    not mapped: \(place.unmapped.joined(separator: ", "))") }
    }
  }

  private func print(_ rows: TrialReport.Rows, on console: Console) {
    section("\(rows.table): \(rows.count == 1 ? "1 row" : "\(rows.count) rows")", on: console)
    for row in rows.rows {
      let cells = zip(rows.columns, row).map { "\(JSONText.quoted($0)): \($1.json)" }
      console.result("  {\(cells.joined(separator: ", "))}")
    }
    if rows.count > rows.rows.count { console.result("  … and \(rows.count - rows.rows.count) more") }
  }

  private func printRejections(on console: Console) {
    let rejected = report.summary.rejected
    guard rejected > 0 else { return }
    section("rejected: \(rejected == 1 ? "1 record" : "\(rejected) records")", on: console)
    for rejection in report.summary.preview {
      let field = rejection.field.map { "\(rejection.record).\($0)" } ?? rejection.record
      console.result("  \(rejection.pointer): \(field): \(rejection.reason)")
    }
    if rejected > report.summary.preview.count {
      console.result("  … and \(rejected - report.summary.preview.count) more")
    }
  }
}

extension StoredValue {
  /// As JSON; bytes are told by their number.
  fileprivate var json: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let text): JSONText.quoted(text)
    case .bytes(let bytes): JSONText.quoted("\(bytes.count) bytes")
    }
  }
}
