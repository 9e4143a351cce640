import Testing

struct RecordsSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
