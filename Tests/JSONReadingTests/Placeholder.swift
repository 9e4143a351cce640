import Testing

struct JSONReadingSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
