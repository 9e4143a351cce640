import Diagnostics
import MappingLanguage
import Pipeline
import Store
import Values

/// `ingest test --format json`: all that is known of mappings and their tests (docs/testing-mappings.md).
struct TestReport {
  let mappings: [TestedMapping]

  var tree: JSONTree {
    let tests = mappings.flatMap(\.tests)
    return .object([
      .init("ok", .boolean(mappings.allSatisfy(\.holds))), .init("tests", .integer(tests.count)),
      .init("failed", .integer(tests.count { !$0.holds })), .init("mappings", .list(mappings.map(Self.tree))),
    ])
  }

  private static func tree(_ mapping: TestedMapping) -> JSONTree {
    .object([
      .init("file", .text(mapping.name)), .init("ok", .boolean(mapping.holds)),
      .init("diagnostics", .list(mapping.findings.map(DiagnosticPrinter.tree))),
      .init("tests", .list(mapping.tests.map(tree))), .init("coverage", .list(mapping.coverage.map(tree))),
      .init("not_updated", .text(mapping.refusal)),
    ])
  }

  private static func tree(_ test: TestedMapping.Test) -> JSONTree {
    let name = test.outcome.test.name
    return .object([
      .init("name", .text(name.value)), .init("file", .text(name.span.file.name)),
      .init("line", .integer(name.span.start.line)), .init("column", .integer(name.span.start.column)),
      .init("ok", .boolean(test.holds)), .init("updated", .boolean(test.isUpdated)),
      .init("failures", .list(test.outcome.failures.map(tree))),
      .init("modes", .list(test.modes.map { tree($0.mode, $0.outcome) })),
    ])
  }

  // MARK: failures

  private static func tree(_ failure: TestFailure) -> JSONTree {
    var members: [JSONTree.Member]
    switch failure {
    case .table(_, let difference):
      members = [
        .init("kind", .text("table")), .init("table", .text(difference.table)),
        .init("expected_count", difference.expected.count.map { .integer($0.value) } ?? .null),
        .init("count", .integer(difference.stored.rows.count)), .init("equal_rows", .integer(difference.equalCount)),
        .init("rows", .list(difference.rows.map { tree($0, of: difference) })),
      ]
    case .rejects(let count, let expected, let reasons):
      members = [
        .init("kind", .text("rejects")), .init("expected", expected.map(JSONTree.integer) ?? .null),
        .init("came", .integer(count)), .init("reasons", .list(reasons.map { .text($0) })),
      ]
    case .requests(let came, let expected):
      members = [
        .init("kind", .text("requests")), .init("expected", .list(expected.map { .text($0) })),
        .init("came", .list(came.map { .text($0) })),
      ]
    case .other: members = [.init("kind", .text("error"))]
    }
    members.insert(.init("message", .text(failure.text)), at: 1)
    return .object(members)
  }

  /// Of a row, the columns that the test names.
  private static func tree(_ row: TableDifference.Row, of difference: TableDifference) -> JSONTree {
    let kind =
      switch row {
      case .differs: "differs"
      case .missing: "missing"
      case .unexpected: "unexpected"
      }
    let cells = zip(difference.columns, difference.cells(of: row))
    let values = cells.filter { $0.1.expectedValue != nil || $0.1.cameValue != nil }.map { column, cell in
      var members = [JSONTree.Member("column", .text(column))]
      if let expected = cell.expectedValue { members.append(.init("expected", expected.tree)) }
      if let came = cell.cameValue { members.append(.init("came", came.tree)) }
      members.append(.init("equal", .boolean(cell.isEqual && cell.expectedValue != nil && cell.cameValue != nil)))
      return JSONTree.object(members)
    }
    return .object([.init("kind", .text(kind)), .init("values", .list(values))])
  }

  private static func tree(_ mode: TestMode, _ outcome: ModeOutcome) -> JSONTree {
    var members = [JSONTree.Member("mode", .text(mode.option))]
    if case .shuffle(let seed) = mode { members.append(.init("seed", .text("\(seed)"))) }
    switch outcome {
    case .same: members.append(.init("result", .text("same")))
    case .passedOver(let reason): members += [.init("result", .text("passed-over")), .init("reason", .text(reason))]
    case .failed(let reason): members += [.init("result", .text("failed")), .init("reason", .text(reason))]
    case .differs(let changes):
      members += [.init("result", .text("differs")), .init("changes", .list(changes.map(tree)))]
    }
    return .object(members)
  }

  private static func tree(_ change: TableChange) -> JSONTree {
    func texts(_ texts: [String]) -> JSONTree { .list(texts.map { .text($0) }) }
    return .object([
      .init("table", .text(change.table)), .init("reasons", texts(change.reasons)),
      .init("without", texts(change.without)), .init("with", texts(change.with)),
    ])
  }

  // MARK: coverage

  private static func tree(_ part: TestCoverage.Part) -> JSONTree {
    let gaps = part.gaps.map { gap in
      JSONTree.object([
        .init("file", .text(gap.span.file.name)), .init("line", .integer(gap.span.start.line)),
        .init("column", .integer(gap.span.start.column)), .init("text", .text(gap.text)),
        .init("count", .integer(gap.count)),
      ])
    }
    return .object([
      .init("of", .text(part.name)), .init("total", .integer(part.total)),
      .init("reached", .integer(part.reachedCount)), .init("not_reached", .list(gaps)),
    ])
  }
}

extension TestMode {
  fileprivate var option: String {
    switch self {
    case .shuffle: "shuffle"
    case .duplicatePages: "duplicate-pages"
    case .cut: "cut-at"
    }
  }
}

extension Literal {
  fileprivate var tree: JSONTree {
    switch self {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .number(let text): .number(text)
    case .text(let text): .text(text)
    }
  }
}

extension StoredValue {
  fileprivate var tree: JSONTree {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .number("\(number)")
    case .text(let text): .text(text)
    case .bytes(let bytes): .text(StoredValue.text(of: bytes))
    }
  }
}
