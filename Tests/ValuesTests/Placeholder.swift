import Testing

struct ValuesTestsSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
