import Testing

struct PlanCompilerSuite {
  @Test func `nothing yet`() { #expect(Bool(true)) }
}
