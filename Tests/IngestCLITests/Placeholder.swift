import Testing

struct IngestCLISuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
