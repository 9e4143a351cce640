import MappingLanguage
import PlanCompiler
import Store
import Values

/// Compares the rows of a table with those that a test expects.
struct TableExpectation {
  let expected: TestDeclaration.ExpectedTable
  let stored: StoredRows

  /// What falls short, or nil.
  var fault: String? {
    let name = expected.name.value
    if let count = expected.count, count != stored.rows.count {
      return "'\(name)' has \(stored.rows.count) rows, expected are \(count)"
    }
    guard let rows = expected.rows else { return nil }
    if expected.count == nil, rows.count != stored.rows.count {
      return "'\(name)' has \(stored.rows.count) rows, expected are \(rows.count): \(shown(stored.rows))"
    }
    if expected.isOrdered {
      guard
        let index = rows.indices.first(where: { !stored.rows.indices.contains($0) || !fits(rows[$0], stored.rows[$0]) })
      else { return nil }
      let came = stored.rows.indices.contains(index) ? shown([stored.rows[index]]) : "no row"
      return "row \(index + 1) of '\(name)' is \(came), expected is \(shown(rows[index]))"
    }
    guard let left = unmatched(rows) else { return nil }
    return "'\(name)' has no row \(shown(rows[left])) among \(shown(stored.rows))"
  }

  /// Pairs each expected row with a stored one of its own; the expected row that is left over.
  private func unmatched(_ rows: [TestDeclaration.ExpectedRow]) -> Int? {
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
      if !place(index, &tried) { return index }
    }
    return nil
  }

  private func fits(_ expected: TestDeclaration.ExpectedRow, _ row: [StoredValue]) -> Bool {
    expected.values.allSatisfy { entry in
      guard let index = stored.columns.firstIndex(where: { $0.utf8.elementsEqual(entry.column.value.utf8) }) else {
        return false
      }
      return Self.fits(entry.value, row[index])
    }
  }

  /// A number fits the text of a decimal that is written like it; everything else compares kind by kind.
  static func fits(_ literal: Literal, _ value: StoredValue) -> Bool {
    switch (literal, value) {
    case (.null, .null): true
    case (.boolean(let flag), .integer(let stored)): stored == (flag ? 1 : 0)
    case (.number(let text), .integer(let stored)): Int64(text) == stored
    case (.number(let text), .real(let stored)): Double(text) == stored
    case (.number(let text), .text(let stored)), (.text(let text), .text(let stored)):
      text.utf8.elementsEqual(stored.utf8)
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
    "{" + row.values.map { "\($0.column.value): \($0.value.shown)" }.joined(separator: ", ") + "}"
  }
}

extension StoredValue {
  var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}

extension Literal {
  var shown: String {
    if case .text(let text) = self { "\"\(text)\"" } else if case .null = self { "null" } else { plainText }
  }
}
