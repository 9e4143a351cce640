import Testing

struct PipelineSuite {
  @Test func `nothing yet`() { #expect(Bool(true)) }
}
