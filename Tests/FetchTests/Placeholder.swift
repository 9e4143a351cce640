import Testing

struct FetchSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
