import Diagnostics
import Foundation
import Setup
import Testing

/// Mappings of many entries: a scan of all of them for each would be felt.
struct LargeMappingTests {
  enum Kind: String, CaseIterable, Sendable {
    case fields, typedFields, records, endpoints, relationships, variables, parents
  }

  @Test(.timeLimit(.minutes(5)), arguments: Kind.allCases)
  func `a mapping of thousands of entries is read and compiled`(_ kind: Kind) throws {
    let text = Self.mapping(of: kind, 1600)
    let outcome = try LoadedMapping.read(SourceFile(name: "m.yaml", text: text), for: .checking)
    #expect(outcome.loaded != nil, "\(DiagnosticPrinter.text(Array(outcome.diagnostics.prefix(3)), colour: false))")
  }

  private static func mapping(of kind: Kind, _ count: Int) -> String {
    func lines(_ line: (Int) -> String) -> String { (0..<count).map { line($0) + "\n" }.joined() }
    let head = "ingest: 1\nsource: {name: s, base_url: 'http://h.test'}\n"
    let one = "endpoints: {x: {path: /x, fetch: false, records: {u: U}}}\n"
    let each = "endpoints:\n" + lines { "  e\($0): {path: /x\($0), fetch: false, records: {u: U\($0)}}" }
    switch kind {
    case .fields:
      return head + "records:\n  U:\n    key: f0\n    fields:\n" + lines { "      f\($0): {from: a.b\($0)}" } + one
    case .typedFields:
      return head + "records:\n  U:\n    key: f0\n    types:\n      integer:\n" + lines { "        - f\($0)" }
        + "    fields:\n" + lines { "      - f\($0)" } + one
    case .records: return head + "records:\n" + lines { "  U\($0): {key: id, fields: [id]}" } + each
    case .endpoints:
      return head + "records: {U: {key: id, fields: {id: , v: {from: $route.id}}}}\nendpoints:\n"
        + lines { "  e\($0): {path: '/x\($0)/:id', fetch: false, records: {u: U}}" }
    case .relationships:
      return head + "records:\n  K: {key: id, fields: [id]}\n  U:\n    key: id\n    fields: [id]\n    relationships:\n"
        + lines { "      r\($0): [K]" } + one
    case .variables:
      return head + "variables:\n" + lines { "  v\($0): x" } + "records: {U: {key: id, fields: [id]}}\nendpoints:\n"
        + lines { "  e\($0): {path: '/x\($0)/:v\($0)', params: {q: '${v\($0)}'}, records: {u: U}}" }
    case .parents:
      return head + "records:\n"
        + lines { "  U\($0): {key: id, fields: [id], relationships: {c: [{fields: [a], indexes: [[u\($0)_id, a]]}]}}" }
        + each
    }
  }
}
