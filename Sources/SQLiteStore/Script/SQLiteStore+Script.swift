package import Records
package import Store

extension SQLiteStore {
  /// A store that is gone when it is closed: in memory as long as it is small, beyond in a file without a name.
  package static func temporary() throws(StoreError) -> SQLiteStore { SQLiteStore(try Connection.temporary()) }

  /// Writes tables and their rows as SQL that makes them in another database, each table behind those that it refers
  /// to. References to tables that are not written are left out. `write` says whether to go on.
  package func writeScript(of shapes: [TableShape], _ write: ([UInt8]) -> Bool) throws(StoreError) {
    try SQLScript(opened, shapes.filter { $0.role != .membership }).write(write)
  }
}
