import Diagnostics
import Setup
import MappingLanguage
import Pipeline
import Store
import Values

/// Says what became of tests: differences as small tables, and the lines that nothing reached.
struct TestPrinter {
  let console: Console

  /// Rows of a difference that are shown.
  private static let rowLimit = 20
  /// Characters of a value that are shown.
  private static let cellLimit = 60

  private static func place(of test: TestDeclaration) -> String {
    let start = test.name.span.start
    return "\(test.name.span.file.name):\(start.line):\(start.column)"
  }

  // MARK: tests

  func print(_ outcome: TestOutcome) {
    console.result("\(Self.place(of: outcome.test)): test '\(outcome.test.name.value)' failed")
    for failure in outcome.failures {
      switch failure {
      case .table(_, let difference): print(difference)
      case .requests(let came, let expected): print(came, expected: expected)
      case .rejects(_, expected: nil, _):
        console.result("  \(failure.text); mend the mapping or the body, or expect them: 'rejects: N'")
      case .rejects, .other: console.result("  " + failure.text)
      }
    }
  }

  private func print(_ difference: TableDifference) {
    let (rows, equal) = (difference.rows, difference.equalCount)
    var words: [String] = []
    if let count = difference.expected.count?.value, count != difference.stored.rows.count {
      words.append("\(Self.spoken(difference.stored.rows.count)), expected are \(count)")
    }
    if equal > 0 { words.append("\(Self.spoken(equal)) as expected") }
    let kinds = rows.map(\.kind)
    for kind in RowKind.allCases where kinds.contains(kind) {
      words.append("\(Self.spoken(kinds.count { $0 == kind })) \(kind.meaning)")
    }
    console.result("  \(difference.table): \(words.joined(separator: ", "))")
    guard !rows.isEmpty else { return }
    let shown = rows.prefix(Self.rowLimit)
    let cells = [difference.columns] + shown.map { difference.cells(of: $0).map(Self.text) }
    for (sign, line) in zip([" "] + shown.map(\.kind.rawValue), Self.table(cells)) {
      console.result("    \(sign) \(line)")
    }
    if rows.count > shown.count { console.result("    … and \(rows.count - shown.count) more") }
    if shown.contains(where: { difference.cells(of: $0).contains(where: \.isTextForNumber) }) {
      console.result(
        "    a text came where a number is expected: decimals are texts, digit for digit, so expect these in quotes")
    }
  }

  private static func text(_ cell: TableDifference.Cell) -> String {
    switch (cell.expected, cell.came) {
    case (nil, nil): ""
    case (let expected?, nil): cut(expected)
    case (nil, let came?): cut(came)
    case (let expected?, let came?): cell.isEqual ? cut(expected) : "\(cut(expected)) → \(cut(came))"
    }
  }

  private static func cut(_ text: String) -> String {
    let text = VisibleText.escaped(text)
    return text.unicodeScalars.count > cellLimit
      ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(cellLimit))) + "…" : text
  }

  /// Lines with columns below one another.
  private static func table(_ cells: [[String]]) -> [String] {
    let widths = cells[0].indices.map { column in cells.map { $0[column].unicodeScalars.count }.max() ?? 0 }
    return cells.map { row in
      var line = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.unicodeScalars.count)
      }.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  private func print(_ came: [String], expected: [String]) {
    console.result("  requests:")
    for index in 0..<max(came.count, expected.count) {
      let (wanted, given) = (expected.dropFirst(index).first, came.dropFirst(index).first)
      switch (wanted, given) {
      case (let wanted?, let given?) where wanted == given: console.result("      \(wanted)")
      default:
        if let wanted { console.result("    - \(wanted)") }
        if let given { console.result("    + \(given)") }
      }
    }
  }

  private static func spoken(_ rows: Int) -> String { rows == 1 ? "1 row" : "\(rows) rows" }

  // MARK: modes

  func print(_ result: ModeOutcome, of test: TestDeclaration, under mode: TestMode) {
    let head = "\(Self.place(of: test)): test '\(test.name.value)'"
    switch result {
    case .same: return
    case .passedOver(let reason): console.debug("\(head) was not tried \(mode.spoken): \(reason)")
    case .failed(let reason): console.result("\(head) failed \(mode.spoken): \(reason)")
    case .differs(let changes):
      console.result("\(head): the tables differ \(mode.spoken)")
      for change in changes { print(change) }
    }
  }

  private func print(_ change: TableChange) {
    console.result("  \(change.table): \(change.reasons.joined(separator: "; "))")
    for (sign, rows) in [("-", change.without), ("+", change.with)] {
      for row in rows.prefix(Self.rowLimit / 4) { console.result("    \(sign) \(row)") }
      let rest = rows.count - Self.rowLimit / 4
      if rest > 0 { console.result("    \(sign) … and \(rest) more") }
    }
  }

  // MARK: updates

  func printUpdated(_ outcomes: [TestOutcome], in path: String) {
    for outcome in outcomes {
      console.result("\(Self.place(of: outcome.test)): test '\(outcome.test.name.value)' was rewritten")
    }
  }

  func print(_ refusal: TestUpdater.Refusal, in path: String) {
    let subject = refusal.test.map { "\(Self.place(of: $0)): test '\($0.name.value)'" } ?? path
    console.error("\(subject) cannot be rewritten, and nothing was: \(refusal.reason)")
  }

  // MARK: the whole

  func print(_ tally: TestTally, of path: String, _ parts: [TestCoverage.Part]) {
    console.result("\(path): \(tally.outcome)")
    for (mode, count) in tally.tried { console.result("  \(Self.spoken(tests: count)) \(mode.spoken)") }
    let counted = parts.filter { $0.total > 0 }.map { "\($0.reachedCount) of \($0.total) \($0.name)" }
    guard !counted.isEmpty else { return }
    console.result("  reached: \(counted.joined(separator: ", "))")
    let gaps = parts.flatMap(\.gaps)
    guard !gaps.isEmpty else { return }
    console.result("  not reached:")
    for gap in gaps { console.result("    \(gap.span.file.name):\(gap.span.start.line): \(gap.text)") }
  }

  private static func spoken(tests: Int) -> String {
    tests == 1 ? "1 test was tried" : "\(tests) tests were tried"
  }
}

/// What became of a row of a difference, and its sign.
private enum RowKind: String, CaseIterable {
  case differs = "~"
  case missing = "-"
  case unexpected = "+"

  var meaning: String {
    switch self {
    case .differs: "with other values (~ expected → came)"
    case .missing: "that did not come (-)"
    case .unexpected: "not expected (+)"
    }
  }
}

extension TableDifference.Row {
  fileprivate var kind: RowKind {
    switch self {
    case .differs: .differs
    case .missing: .missing
    case .unexpected: .unexpected
    }
  }
}

extension TableDifference.Cell {
  /// `0.2` is expected, and `"0.20"` came.
  fileprivate var isTextForNumber: Bool {
    guard !isEqual, case .number(_)? = expectedValue, case .text(_)? = cameValue else { return false }
    return true
  }
}
