import Testing

struct MappingLanguageSuite {
  @Test func `placeholder`() { #expect(Bool(true)) }
}
