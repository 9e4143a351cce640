import Diagnostics
import Testing

/// Tables that no store can make.
struct CapacityTests {
  private func mapping(
    columns: Int, key: Int = 1, record: String = "", store: String = "", relationships: String = ""
  ) -> String {
    let names = (0..<columns).map { "a\($0)" }
    return """
      ingest: 1
      source: {name: shop}
      \(store)
      records:
        Item:
          key: [\(names.prefix(key).joined(separator: ", "))]
          \(record)
          types: {'*': text}
          \(relationships)
          fields:
      \(names.map { "      - \($0)\n" }.joined())
      endpoints: {items: {path: /items, records: {items: Item}}}
      """
  }

  private func findings(_ text: String) -> [String] {
    Compiling.of(text).diagnostics.filter { $0.code == .storeLimit }.map {
      "\($0.span.start.line):\($0.span.start.column) \($0.message)"
    }
  }

  @Test func `a table may have as many columns as SQLite keeps, and no more`() {
    #expect(findings(mapping(columns: 2000)).isEmpty)
    #expect(
      findings(mapping(columns: 2003)) == ["2011:9 the table 'item' has 2003 columns, and SQLite keeps 2000"])
  }

  @Test func `columns that no field declares count too`() {
    #expect(findings(mapping(columns: 1997, record: "track: true")).isEmpty)
    #expect(
      findings(mapping(columns: 1998, record: "track: true"))
        == ["5:3 the table 'item' has 2001 columns, and SQLite keeps 2000"])
    #expect(
      findings(mapping(columns: 2000, record: "unmapped: capture"))
        == ["5:3 the table 'item' has 2001 columns, and SQLite keeps 2000"])
    #expect(
      findings(mapping(columns: 2000, key: 0, record: "write: append").replacing("    key: []\n", with: ""))
        == ["2009:9 the table 'item' has 2001 columns, and SQLite keeps 2000"])
    #expect(
      findings(mapping(columns: 2000, relationships: "relationships: {parent: Item}"))
        == ["9:21 the table 'item' has 2001 columns, and SQLite keeps 2000"])
  }

  @Test func `the key of what walks have seen stands beside two more`() {
    #expect(findings(mapping(columns: 1998, key: 1998, record: "sweep: true")).isEmpty)
    #expect(findings(mapping(columns: 1999, key: 1999)).isEmpty)
    #expect(
      findings(mapping(columns: 1999, key: 1999, record: "sweep: true")) == [
        "5:3 the key of 'item' has 1999 columns: what walks have seen is kept with two more, and SQLite keeps 2000"
      ])
  }

  @Test func `PostgreSQL keeps fewer, and short keys`() {
    let store = "store: {url: 'postgres://db.example.test/shop'}"
    #expect(findings(mapping(columns: 1600, key: 32, store: store)).isEmpty)
    #expect(
      findings(mapping(columns: 1601, store: store))
        == ["1611:9 the table 'item' has 1601 columns, and PostgreSQL keeps 1600"])
    #expect(
      findings(mapping(columns: 40, key: 33, store: store))
        == ["43:9 a key or index of 'item' has 33 columns, and PostgreSQL keeps 32"])
  }
}
