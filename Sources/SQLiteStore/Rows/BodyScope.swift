import Records
import Store

/// What the writers of all tables share while a body lasts.
final class BodyScope {
  /// Nil when no relationship sweeps.
  let orphans: OrphanSweep?
  /// Whether rows were deleted that may have taken others with them.
  private(set) var hasDeletions = false

  /// By table: what hangs on its rows, and is counted.
  private var hanging: [Int: [Hanging]] = [:]

  private struct Hanging {
    let memory: BodyMemory
    let numbers: LazyStatement
  }

  init(orphans: OrphanSweep?) { self.orphans = orphans }

  /// Rows that `memory` follows change when the row goes that they hang on.
  func follow(_ memory: BodyMemory, _ descents: [References.Descent], on connection: Connection) {
    for descent in descents {
      let numbers = LazyStatement(descent.numbers, on: connection)
      hanging[descent.owner, default: []].append(Hanging(memory: memory, numbers: numbers))
    }
  }

  /// To be called before a row is deleted that may come again in the same body, with what hangs on it.
  func keepImages(ofRowsOn number: Int64, in table: Int) throws(StoreError) {
    for hanging in hanging[table] ?? [] {
      try hanging.memory.open()
      let numbers = try hanging.numbers.prepared()
      try numbers.bind(number, at: 0)
      while try numbers.step() { try hanging.memory.keepImage(of: numbers.integer(0)) }
    }
  }

  /// To be called before a row is deleted: what hangs on it goes too.
  func willDelete(_ number: Int64, from table: Int) throws(StoreError) {
    hasDeletions = true
    try orphans?.noteChildren(of: number, in: table)
  }

  /// To be called before the current version of a history ends without another: the record goes, though its row stays.
  func willEnd(_ number: Int64, of table: Int) throws(StoreError) { try orphans?.noteChildren(of: number, in: table) }

  /// To be called before a row is changed as `rows` has found.
  func willUpdate(
    _ number: Int64, of table: Int, by rows: RowWriter, with cells: [Cell], at base: Int
  ) throws(StoreError) {
    try orphans?.noteSingleChildren(of: number, in: table) { rows.change(of: $0, to: cells, at: base) }
  }

  func endBody() throws(StoreError) {
    try orphans?.sweep()
    hasDeletions = false
  }

  func forget() {
    orphans?.forget()
    hasDeletions = false
  }
}
