package import Diagnostics
import MappingLanguage
import Store

/// What is to be written in place of expectations that do not hold: nothing else of the file changes.
package struct ExpectationUpdate {
  package let file: SourceFile
  package private(set) var edits: [TextEdit] = []
  private let test: TestDeclaration

  /// Of a test that does not hold. Throws where it cannot be mended in place.
  package init(_ outcome: TestOutcome) throws(UpdateRefusal) {
    test = outcome.test
    file = test.span.file
    for failure in outcome.failures {
      if case .other(let text) = failure { throw UpdateRefusal(text) }
    }
    guard let expect = test.expectSpan else { throw UpdateRefusal("the test has no 'expect' that could be rewritten") }
    try checkPlace(expect, within: test.span)
    try checkNames(in: expect)
    for failure in outcome.failures {
      switch failure {
      case .table(_, let difference): try rewrite(difference)
      case .rejects(let count, _, _): try rewriteRejects(count, in: expect)
      case .requests(let requests, _): try rewriteRequests(requests)
      case .other: continue
      }
    }
  }

  private var bytes: [UInt8] { file.bytes }

  // MARK: what stands in the way

  /// What an alias or a merge brings stands elsewhere, and means more than this.
  private func checkPlace(_ span: SourceSpan, within outer: SourceSpan) throws(UpdateRefusal) {
    let isInside =
      span.file === outer.file && span.start.offset >= outer.start.offset && span.end.offset <= outer.end.offset
    if !isInside { throw UpdateRefusal("part of what is expected comes from an alias, and stands elsewhere") }
  }

  private func checkNames(in span: SourceSpan) throws(UpdateRefusal) {
    var before = UInt8(ascii: " ")
    for offset in span.start.offset..<span.end.offset {
      let byte = bytes[offset]
      defer { before = byte }
      guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*"), " \n[{,".utf8.contains(before) else { continue }
      let next = offset + 1 < bytes.count ? bytes[offset + 1] : UInt8(ascii: " ")
      if next == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20) {
        throw UpdateRefusal("what is expected has an anchor or an alias, or looks like it")
      }
    }
  }

  // MARK: tables

  private mutating func rewrite(_ difference: TableDifference) throws(UpdateRefusal) {
    let table = difference.expected
    if let count = table.count, count.value != difference.stored.rows.count {
      edits.append(TextEdit(range(of: count.span), String(difference.stored.rows.count)))
    }
    guard let rows = table.rows else { return }
    var removed: Set<Int> = []
    var added: [Int] = []
    for row in difference.rows {
      switch row {
      case .differs(let index, let came): try rewrite(rows.items[index], with: difference.stored, row: came)
      case .missing(let index): removed.insert(index)
      case .unexpected(let came): added.append(came)
      }
    }
    let columns = columns(of: difference)
    var texts: [ListEditor.Item] = []
    for row in added { texts.append(try item(difference.stored, row: row, columns: columns)) }
    try rewrite(rows.span, key: rows.keySpan, items: rows.items.map(\.span), removing: removed, adding: texts)
  }

  private mutating func rewrite(
    _ span: SourceSpan, key: SourceSpan, items: [SourceSpan], removing: Set<Int>, adding: [ListEditor.Item]
  ) throws(UpdateRefusal) {
    if removing.isEmpty, adding.isEmpty { return }
    try checkPlace(span, within: test.span)
    for item in items { try checkPlace(item, within: span) }
    let editor = ListEditor(
      bytes: bytes, range: range(of: span), keyEnd: key.end.offset, items: items.map { range(of: $0) })
    edits += try editor.edits(removing: removing, adding: adding)
  }

  private mutating func rewrite(
    _ row: TestDeclaration.ExpectedRow, with stored: StoredRows, row number: Int
  ) throws(UpdateRefusal) {
    for value in row.values {
      guard let column = stored.columns.firstIndex(where: { $0.isSame(as: value.column.value) }) else { continue }
      let came = stored.rows[number][column]
      if value.fits(came) { continue }
      try checkPlace(value.value.span, within: row.span)
      let range = range(of: value.value.span)
      let text = try WrittenValue(of: came, inPlaceOf: value, written: Array(bytes[range])).text
      // A null may be written as nothing, right behind the colon.
      edits.append(TextEdit(range, range.isEmpty ? " " + text : text))
    }
  }

  /// Of a row that is new: those of the first row that is expected; without one, all that do not tell the time.
  private func columns(of difference: TableDifference) -> [String] {
    if let first = difference.expected.rows?.items.first { return first.values.map(\.column.value) }
    let own = ["_id", "_ingested_at", "_run_id", "_source_url", "valid_from", "valid_to"]
    return difference.stored.columns.filter { !own.contains($0) }
  }

  private func item(_ stored: StoredRows, row: Int, columns: [String]) throws(UpdateRefusal) -> ListEditor.Item {
    var entries: [String] = []
    for column in columns {
      guard let index = stored.columns.firstIndex(where: { $0.isSame(as: column) }) else { continue }
      let value = try WrittenValue(of: stored.rows[row][index], inPlaceOf: nil, written: []).text
      entries.append("\(try WrittenValue.name(column)): \(value)")
    }
    return .map(entries)
  }

  // MARK: counts and requests

  private mutating func rewriteRejects(_ count: Int, in expect: SourceSpan) throws(UpdateRefusal) {
    if let rejects = test.rejects {
      try checkPlace(rejects.span, within: expect)
      edits.append(TextEdit(range(of: rejects.span), String(count)))
    } else {
      edits.append(MapEditor(bytes: bytes, range: range(of: expect)).adding("rejects: \(count)"))
    }
  }

  private mutating func rewriteRequests(_ came: [String]) throws(UpdateRefusal) {
    guard let expected = test.requests else { return }
    var added: [ListEditor.Item] = []
    for (index, request) in came.enumerated() {
      guard index < expected.items.count else {
        added.append(.scalar(try WrittenValue(of: .text(request), inPlaceOf: nil, written: []).text))
        continue
      }
      let item = expected.items[index]
      if item.value.isSame(as: request) { continue }
      try checkPlace(item.span, within: expected.span)
      let text = try WrittenValue(of: .text(request), like: Array(bytes[range(of: item.span)])).text
      edits.append(TextEdit(range(of: item.span), text))
    }
    let removed = Set(expected.items.indices.dropFirst(came.count))
    try rewrite(
      expected.span, key: expected.keySpan, items: expected.items.map(\.span), removing: removed, adding: added)
  }

  private func range(of span: SourceSpan) -> Range<Int> { span.start.offset..<span.end.offset }
}
