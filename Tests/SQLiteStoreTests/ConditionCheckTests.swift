import Records
import SQLiteStore
import Testing

/// A mapping's tables, made in a database in memory.
struct ConditionCheckTests {
  private func wide(_ name: String, columns: Int, rest: [String] = []) -> TableShape {
    let names = (0..<columns).map { "a\($0)" } + rest
    return Shapes.record(name, key: ["a0"], names.map { ($0, .text) })
  }

  @Test func `a table that SQLite does not make is told of, and why`() throws {
    let check = try ConditionCheck([
      wide("t", columns: 2000), wide("u", columns: 2001), wide("v", columns: 1, rest: ["rowid", "oid"]),
      wide("w", columns: 1, rest: ["ROWID", "oid", "_rowid_"]), wide("x", columns: 2, rest: ["a1"]),
    ])
    #expect(
      check.refusals.map { "\($0.table) \($0.reason)" } == [
        "1 too many columns on u",
        "3 table 'w' has columns named rowid, _rowid_ and oid: rename one, they hide the row number",
        "4 duplicate column name: a1",
      ])
  }

  @Test func `a long key is compared in an expression that SQLite takes`() throws {
    let names = (0..<2000).map { "a\($0)" }
    let shape = Shapes.record("t", key: names, names.map { ($0, .text) })
    #expect(try ConditionCheck([shape]).refusals.isEmpty)
  }
}
