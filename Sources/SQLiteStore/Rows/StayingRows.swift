import Records
import Store

/// Which stored rows an incoming one leaves as they are: all of `write: insert`, and those of `modified` that are not
/// older. What is nested in such a row is skipped with it.
struct StayingRows {
  private let isInsert: Bool
  private let modified: ModifiedRule?

  init(_ sql: TableSQL) {
    isInsert = sql.shape.write == .insert
    modified = ModifiedRule(sql)
  }

  var isUsed: Bool { isInsert || modified != nil }

  /// `stored` shows the row after its number.
  func stays(
    _ number: Int64, _ memory: BodyMemory, _ cells: [Cell], at base: Int, as stored: Statement
  ) throws(StoreError) -> Bool {
    // What the body itself has brought is laid over.
    if isInsert {
      guard memory.isOpen, try memory.hasInserted(number) else { return true }
    }
    return modified?.isStale(cells, at: base, against: stored, first: 1) ?? false
  }
}
