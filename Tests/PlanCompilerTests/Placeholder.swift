import Testing

struct PlanCompilerSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
