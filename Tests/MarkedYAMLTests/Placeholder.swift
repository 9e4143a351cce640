import Testing

struct MarkedYAMLSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
