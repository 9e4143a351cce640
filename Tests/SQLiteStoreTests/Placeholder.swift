import Testing

struct SQLiteStoreSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
