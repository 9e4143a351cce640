import Diagnostics
import Foundation
import Ingest
import Testing

/// The time to read and compile a mapping grows with its size, not with the square of it.
struct LargeMappingTests {
  enum Kind: String, CaseIterable, Sendable {
    case fields, typedFields, records, endpoints, relationships, variables, parents
  }

  @Test(arguments: Kind.allCases)
  func `a mapping four times as large takes not much more than four times as long`(_ kind: Kind) throws {
    let (small, large) = (Self.mapping(of: kind, 400), Self.mapping(of: kind, 1600))
    // What is made once only does not count.
    _ = try seconds(for: small)
    // Sixteen times is what a scan for each entry takes.
    #expect(try seconds(for: large) < 10 * seconds(for: small))
  }

  /// Of this thread, so that whatever runs beside it does not count.
  private func seconds(for text: String) throws -> Double {
    let start = Self.threadTime()
    let outcome = try LoadedMapping.read(SourceFile(name: "m.yaml", text: text), for: .checking)
    let time = Self.threadTime() - start
    #expect(outcome.loaded != nil, "\(DiagnosticPrinter.text(Array(outcome.diagnostics.prefix(3)), colour: false))")
    return time
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
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
