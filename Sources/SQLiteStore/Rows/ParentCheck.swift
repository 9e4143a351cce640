import Records
import Store

/// Whether the row is still there that a list, or a link, is about to refer to: a tombstone may have come between.
struct ParentCheck {
  private let exists: LazyStatement?

  /// Without a foreign key everything is there.
  init(_ connection: Connection, _ key: ForeignKey?) {
    exists = key.map { key in
      let condition = key.referenced.map { "\(Identifier.quoted($0)) = ?" }.conjunction
      return LazyStatement("SELECT 1 FROM \(Identifier.quoted(key.table)) WHERE \(condition)", on: connection)
    }
  }

  /// `key` is in the order of the foreign key.
  func exists(_ key: some Collection<Cell>) throws(StoreError) -> Bool {
    guard let exists = try exists?.prepared() else { return true }
    for (parameter, cell) in key.enumerated() { try exists.bind(cell, at: parameter) }
    defer { exists.reset() }
    return try exists.step()
  }
}
