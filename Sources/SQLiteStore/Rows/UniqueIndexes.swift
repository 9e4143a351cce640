import Records
import Store

/// The unique indexes that a mapping declares for a table: a row that would break one is rejected.
///
/// What breaks another index, one of the user's own, fails the transaction.
struct UniqueIndexes {
  private struct Index {
    /// What SQLite says when it is broken.
    let message: FoldedName
    let field: String?
    let reason: String
  }

  private let table: Int
  private let indexes: [Index]
  /// All columns of the indexes that may be null.
  let columns: [Int]

  /// Nil when the table has none. `table` is its place in the schema.
  init?(_ shape: TableShape, table: Int) {
    let unique = shape.indexes.filter(\.isUnique)
    guard !unique.isEmpty else { return nil }
    self.table = table
    indexes = unique.map { index in
      let names = shape.names(index.columns)
      let columns = names.map { "\(shape.name).\($0)" }.joined(separator: ", ")
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      return Index(
        message: FoldedName("UNIQUE constraint failed: \(columns)"), field: names.count == 1 ? names[0] : nil,
        reason: "another row has the same \(names.count == 1 ? "value" : "values") in the unique index on \(list)")
    }
    columns = Set(unique.flatMap(\.columns)).filter { !shape.primaryKey.contains($0) }.sorted()
  }

  func isBreach(_ error: StoreError) -> Bool { index(of: error) != nil }

  /// Rejects a row that could not be written; throws again what is no breach, and all where rows have no verdicts.
  func reject(_ row: Int, for error: StoreError, _ verdicts: RowVerdicts?) throws(StoreError) {
    guard let verdicts, let index = index(of: error) else { throw error }
    verdicts.reject(RowReference(table: table, row: row), field: index.field, reason: index.reason)
  }

  private func index(of error: StoreError) -> Index? {
    guard error.code == .constraint else { return nil }
    let message = FoldedName(error.message)
    return indexes.first { $0.message == message }
  }
}
