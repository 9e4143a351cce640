import Testing

struct ValuesSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
