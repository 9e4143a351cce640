package import MappingLanguage
package import Store
package import Values

/// How the rows of a table differ from those that were expected: row by row, in the columns that the test names.
package struct TableDifference: Sendable {
  /// What became of a row.
  package enum Row: Sendable {
    /// It came, with other values in some columns.
    case differs(expected: Int, came: Int)
    case missing(expected: Int)
    case unexpected(came: Int)
  }

  package let expected: TestDeclaration.ExpectedTable
  /// The whole table.
  package let stored: StoredRows
  /// Those that the expected rows name, in the order of their first mention; all, where none is named.
  package let columns: [String]
  package let rows: [Row]
  /// Rows that came as expected.
  package let equalCount: Int

  package var table: String { expected.name.value }

  /// What stands in a column of a row: nil where the test does not name it, or where there is no row.
  package struct Cell: Sendable {
    package var expectedValue: Literal?
    package var cameValue: StoredValue?
    package var isEqual: Bool

    package var expected: String? { expectedValue?.shown }
    package var came: String? { cameValue?.shown }
  }

  /// In the order of `columns`.
  package func cells(of row: Row) -> [Cell] {
    let (wanted, given) = row.numbers
    return columns.map { column in
      let value = wanted.flatMap { expected.rows?.items[$0].values.first { $0.column.value.isSame(as: column) } }
      if wanted != nil, value == nil { return Cell(expectedValue: nil, cameValue: nil, isEqual: true) }
      let came = given.flatMap { number in
        stored.columns.firstIndex { $0.isSame(as: column) }.map { stored.rows[number][$0] }
      }
      let isEqual = value == nil || value.flatMap { wanted in came.map { wanted.fits($0) } } ?? false
      return Cell(expectedValue: value?.value.value, cameValue: came, isEqual: isEqual)
    }
  }
}

extension TableDifference.Row {
  var numbers: (expected: Int?, came: Int?) {
    switch self {
    case .differs(let expected, let came): (expected, came)
    case .missing(let expected): (expected, nil)
    case .unexpected(let came): (nil, came)
    }
  }
}

extension TestDeclaration.ExpectedValue {
  func fits(_ stored: StoredValue) -> Bool { TableExpectation.fits(value.value, stored) }
}

extension TableExpectation {
  /// Rows that do not fit are paired by what they have in common, so that it shows which values differ.
  var difference: TableDifference {
    let rows = expected.rows?.items ?? []
    let partners = expected.isOrdered ? inOrder(rows) : alike(rows, partners(of: rows))
    var found: [TableDifference.Row] = []
    var equalCount = 0
    for (index, partner) in partners.enumerated() {
      guard let partner else {
        found.append(.missing(expected: index))
        continue
      }
      if unequal(rows[index], stored.rows[partner]) == 0 {
        equalCount += 1
      } else {
        found.append(.differs(expected: index, came: partner))
      }
    }
    // With a count, the rows are some of those that come.
    if expected.count == nil {
      let taken = Set(partners.compactMap { $0 })
      found += stored.rows.indices.filter { !taken.contains($0) }.map { .unexpected(came: $0) }
    }
    return TableDifference(
      expected: expected, stored: stored, columns: columns(of: rows), rows: found, equalCount: equalCount)
  }

  private func columns(of rows: [TestDeclaration.ExpectedRow]) -> [String] {
    var columns: [String] = []
    for value in rows.flatMap(\.values) where !columns.contains(where: { $0.isSame(as: value.column.value) }) {
      columns.append(value.column.value)
    }
    return columns.isEmpty ? stored.columns : columns
  }

  private func inOrder(_ rows: [TestDeclaration.ExpectedRow]) -> [Int?] {
    rows.indices.map { stored.rows.indices.contains($0) ? $0 : nil }
  }

  /// Gives rows without a partner the one that is left with the most equal values, if there are any.
  private func alike(_ rows: [TestDeclaration.ExpectedRow], _ partners: [Int?]) -> [Int?] {
    var partners = partners
    var left = Set(stored.rows.indices).subtracting(partners.compactMap { $0 })
    for index in rows.indices where partners[index] == nil {
      let values = rows[index].values.count
      let equal = left.sorted().map { (row: $0, count: values - unequal(rows[index], stored.rows[$0])) }
      guard let best = equal.max(by: { $0.count < $1.count }), best.count > 0 else { continue }
      partners[index] = best.row
      left.remove(best.row)
    }
    return partners
  }

  private func unequal(_ expected: TestDeclaration.ExpectedRow, _ row: [StoredValue]) -> Int {
    expected.values.count { value in came(value, in: row).map { !value.fits($0) } ?? true }
  }
}
