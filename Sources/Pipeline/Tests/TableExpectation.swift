import Fetch
import MappingLanguage
import PlanCompiler
package import Store
import Values

/// Compares the rows of a table with those that a test expects.
struct TableExpectation {
  let expected: TestDeclaration.ExpectedTable
  let stored: StoredRows

  /// What falls short in a sentence, or nil.
  var fault: String? {
    let name = expected.name.value
    let count = stored.rows.count == 1 ? "1 row" : "\(stored.rows.count) rows"
    if let expected = expected.count?.value, expected != stored.rows.count {
      return "'\(name)' has \(count), expected are \(expected)"
    }
    guard let rows = expected.rows?.items else { return nil }
    if expected.count == nil, rows.count != stored.rows.count {
      let came = stored.rows.isEmpty ? "" : ": \(shown(stored.rows))"
      return "'\(name)' has \(count), expected are \(rows.count)\(came)"
    }
    if expected.isOrdered {
      guard
        let index = rows.indices.first(where: { !stored.rows.indices.contains($0) || !fits(rows[$0], stored.rows[$0]) })
      else { return nil }
      let came = stored.rows.indices.contains(index) ? shown([stored.rows[index]]) : "no row"
      return "row \(index + 1) of '\(name)' is \(came), expected is \(shown(rows[index]))"
    }
    let partners = partners(of: rows)
    guard let left = rows.indices.first(where: { partners[$0] == nil }) else { return nil }
    return unequalColumns(difference, row: left)
      ?? "'\(name)' has no row \(shown(rows[left])) among \(shown(stored.rows))"
  }

  /// Columns of a row that are shown at most.
  private static let mostColumns = 3

  /// What a row has in the columns where it is not as expected; nil where no row is like it, or as long to say as the row.
  private func unequalColumns(_ difference: TableDifference, row left: Int) -> String? {
    for case .differs(let expected, let came) in difference.rows where expected == left {
      let cells = zip(difference.columns, difference.cells(of: .differs(expected: expected, came: came)))
      let named = cells.filter { $0.1.expected != nil }
      let unequal = named.filter { !$0.1.isEqual }
      guard let same = named.first(where: { $0.1.isEqual }), !unequal.isEmpty else { return nil }
      let parts = unequal.prefix(Self.mostColumns).map { column, cell in
        "'\(column)' is \(cell.came ?? "missing"), expected is \(cell.expected ?? "null")"
      }
      let more = unequal.count > Self.mostColumns ? ", and \(unequal.count - Self.mostColumns) more columns" : ""
      return "'\(self.expected.name.value)', row {\(same.0): \(same.1.expected ?? "")}: "
        + parts.joined(separator: "; ") + more
    }
    return nil
  }

  /// Pairs as many expected rows as possible with a stored one of their own.
  func partners(of rows: [TestDeclaration.ExpectedRow]) -> [Int?] {
    var owner = [Int?](repeating: nil, count: stored.rows.count)
    func place(_ index: Int, _ tried: inout Set<Int>) -> Bool {
      for (candidate, row) in stored.rows.enumerated() where fits(rows[index], row) {
        guard tried.insert(candidate).inserted else { continue }
        if let other = owner[candidate], !place(other, &tried) { continue }
        owner[candidate] = index
        return true
      }
      return false
    }
    for index in rows.indices {
      var tried: Set<Int> = []
      _ = place(index, &tried)
    }
    var partners = [Int?](repeating: nil, count: rows.count)
    for (candidate, index) in owner.enumerated() { if let index { partners[index] = candidate } }
    return partners
  }

  private func fits(_ expected: TestDeclaration.ExpectedRow, _ row: [StoredValue]) -> Bool {
    expected.values.allSatisfy { value in came(value, in: row).map { Self.fits(value.value.value, $0) } ?? false }
  }

  /// What the row has in the column that is named.
  func came(_ value: TestDeclaration.ExpectedValue, in row: [StoredValue]) -> StoredValue? {
    stored.columns.firstIndex { $0.isSame(as: value.column.value) }.map { row[$0] }
  }

  /// A number fits the text of a decimal that is written like it, and bytes fit their base64; everything else compares
  /// kind by kind.
  static func fits(_ literal: Literal, _ value: StoredValue) -> Bool {
    switch (literal, value) {
    case (.null, .null): true
    case (.boolean(let flag), .integer(let stored)): stored == (flag ? 1 : 0)
    case (.number(let text), .integer(let stored)): Int64(text) == stored
    case (.number(let text), .real(let stored)): Double(text) == stored
    case (.number(let text), .text(let stored)), (.text(let text), .text(let stored)):
      text.utf8.elementsEqual(stored.utf8)
    case (.number(let text), .bytes(let bytes)), (.text(let text), .bytes(let bytes)):
      text.utf8.elementsEqual(Base64.text(bytes).utf8)
    default: false
    }
  }

  // MARK: showing

  /// Rows shown at most.
  private static let limit = 5

  private func shown(_ rows: [[StoredValue]]) -> String {
    let shown = rows.prefix(Self.limit).map { row in
      "{" + zip(stored.columns, row).map { "\($0): \($1.shown)" }.joined(separator: ", ") + "}"
    }
    return shown.joined(separator: ", ") + (rows.count > Self.limit ? ", …" : "")
  }

  private func shown(_ row: TestDeclaration.ExpectedRow) -> String {
    "{" + row.values.map { "\($0.column.value): \($0.value.value.shown)" }.joined(separator: ", ") + "}"
  }
}

extension StoredValue {
  /// Bytes as base64.
  package static func text(of bytes: [UInt8]) -> String { Base64.text(bytes) }

  var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .bytes(let bytes): "\"\(Base64.text(bytes))\""
    }
  }
}

extension Literal {
  var shown: String {
    if case .text(let text) = self { "\"\(text)\"" } else if case .null = self { "null" } else { plainText }
  }
}
