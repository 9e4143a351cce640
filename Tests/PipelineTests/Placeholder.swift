import Testing

struct PipelineSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
