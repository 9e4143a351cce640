import Testing

struct MapperSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
