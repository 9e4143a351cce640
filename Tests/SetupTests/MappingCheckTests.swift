import Diagnostics
import Setup
import TestSupport
import Testing

struct MappingCheckTests {
  @Test(arguments: DiagnosticCode.allCases)
  func `the example of an explanation provokes its finding`(_ code: DiagnosticCode) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("mapping.yaml", code.explanation.mapping)
    let findings = try MappingCheck.check(path).allFindings
    let met = findings.filter { $0.code == code }
    #expect(!met.isEmpty, "\(DiagnosticPrinter.text(findings, colour: false))")
    switch code.explanation.severity {
    case .error: #expect(met.allSatisfy { $0.severity == .error })
    case .warning: #expect(met.allSatisfy { $0.severity == .warning })
    case .either: break
    }
    // What else is found would only puzzle the reader.
    #expect(Set(findings.map(\.code)).count == (code == .badAllow ? 2 : 1), "\(findings.map(\.message))")
  }

  private func check(_ text: String) throws -> [String] {
    try MappingCheck.check(SourceFile(name: "m.yaml", text: text)).allFindings.map {
      "\($0.span.start.line):\($0.span.start.column) \($0.code.rawValue)"
    }
  }

  private static let head = """
    ingest: 1
    source: {name: shop, base_url: https://api.example.test}
    records: {User: {table: users, key: id, fields: {id: {type: integer}}}}
    endpoints: {users: {path: /users, records: {users: User}}}

    """

  @Test func `names in tests are looked up also when the mapping has other errors`() throws {
    let tests = """
      tests:
        - {name: a, endpoint: usrs, body: {users: []}, expect: {users: []}}
        - {name: b, endpoint: users, body: {users: []}, expect: {user: []}}
        - {name: c, endpoint: users, body: {users: []}, expect: {users: [{idd: 1}]}}
        - {name: d, endpoint: users, response: nowhere.json, expect: {users: [{id: 1}]}}
      """
    #expect(
      try check(Self.head + tests) == [
        "6:25 unknown-endpoint", "7:60 bad-value", "8:69 unknown-column",
        "9:42 unreadable-file",
      ])
    // A record that is wrong may lack columns for that reason alone.
    let broken = Self.head.replacing("type: integer", with: "type: integr")
    #expect(
      try check(broken + tests) == ["3:61 unknown-type", "6:25 unknown-endpoint", "9:42 unreadable-file"])
  }

  @Test func `each test has its findings`() throws {
    let tests = """
      tests:
        - {name: holds, endpoint: users, body: {users: [{id: 1}]}, expect: {users: [{id: 1}]}}
        - {name: fails, endpoint: users, body: {users: [{id: 1}]}, expect: {users: [{id: 2}]}}
      """
    let checked = try MappingCheck.check(SourceFile(name: "m.yaml", text: Self.head + tests))
    #expect(checked.hasRunTests && checked.findings.isEmpty)
    #expect(checked.tests.map(\.name) == ["holds", "fails"])
    #expect(checked.tests.map { $0.findings.map(\.code) } == [[], [.failingTest]])
  }

  @Test func `that nothing is verified is said also here, and cannot be allowed`() throws {
    let text = Self.head.replacing(
      "https://api.example.test}",
      with: "https://api.example.test, tls: {insecure: true}} # ingest: allow insecure we know")
    #expect(try check(text) == ["2:74 insecure", "2:81 bad-allow"])
  }
}
