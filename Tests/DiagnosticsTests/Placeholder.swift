import Testing

struct DiagnosticsSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
